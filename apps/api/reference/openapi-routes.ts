/** Routes that do not exchange JSON for JSON: the change stream, and the bytes of resumable uploads. */
import { syncKinds } from '#domain/sync/change.ts';
import { answerHeaders } from './openapi-parts.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const refused = (description: string, error?: { code: string; message: string; status: number }) => ({
  description,
  content: {
    'application/json': {
      schema: ref('ErrorCode'),
      ...(error ? { example: { success: false, error } } : {}),
    },
  },
});

const parameter = (
  name: string,
  place: 'header' | 'path' | 'query',
  {
    isRequired = false,
    ...rest
  }: {
    description: string;
    schema: object;
    isRequired?: boolean;
    style?: 'form';
    explode?: boolean;
    example?: unknown;
  },
) => ({ name, in: place, required: isRequired, ...rest });

const changes = {
  get: {
    operationId: 'changesStream',
    tags: ['sync'],
    summary: 'The answers of the query `changes` as Server-Sent Events.',
    description:
      'Opens as a call of `changes`, with its token, limits and errors. Each event `changes` has the fields of an answer of that query as its data, and the cursor as its id; every 25 s without one a comment comes. `end` with a `code` says why the server ends the stream, for example that the session has ended.',
    security: [{ userToken: [] }],
    parameters: [
      parameter('since', 'query', {
        description: 'Cursor of an earlier answer or event. Without it the stream begins now.',
        schema: { type: 'string' },
      }),
      parameter('kinds', 'query', {
        description: 'Kinds of changes, separated by commas; all without it.',
        schema: { type: 'array', items: { enum: syncKinds } },
        style: 'form',
        explode: false,
        example: ['flightData', 'checklist'],
      }),
      parameter('Last-Event-ID', 'header', {
        description: 'Id of the last event: the stream goes on after it. Before `since`.',
        schema: { type: 'string' },
      }),
    ],
    responses: {
      200: {
        description: 'The stream.',
        headers: answerHeaders,
        content: {
          'text/event-stream': {
            schema: { type: 'string' },
            example:
              'id: 1~6f1d0c2a9b3e~1789560000~8412:8412:\nevent: changes\ndata: {"changes":[],"cursor":"1~6f1d0c2a9b3e~1789560000~8412:8412:","hasMore":false}\n\n',
          },
        },
      },
      410: refused('`SINCE_TOO_OLD`: read everything.'),
      '4XX': refused('Error of form (a).'),
      '5XX': refused('Error of form (a).'),
    },
  },
};

const uploadId = parameter('uploadId', 'path', {
  description: 'Id that `libraryUploadBegin` has answered, with this path, for the same account.',
  schema: { type: 'string', format: 'uuid' },
  isRequired: true,
});
const protocol = parameter('Tus-Resumable', 'header', {
  description: 'Version of the protocol.',
  schema: { const: '1.0.0' },
  isRequired: true,
});

const header = (description: string, schema: object = { type: 'integer', minimum: 0 }) => ({
  description,
  schema,
});
const offsetHeader = { 'Upload-Offset': header('Bytes that have arrived: the next piece begins there.') };
const unknown = refused('`NOT_FOUND`: not an upload of this account, or it has ended.', {
  code: 'NOT_FOUND',
  message: 'Not found.',
  status: 404,
});

const uploads = {
  head: {
    operationId: 'uploadOffset',
    tags: ['library'],
    summary: 'How much of an upload in pieces has arrived.',
    description: 'HEAD of the tus protocol 1.0.0: where an upload goes on that was cut.',
    security: [{ userToken: [] }],
    parameters: [uploadId, protocol],
    responses: {
      200: {
        description: 'The state of the upload, without a body.',
        headers: {
          ...offsetHeader,
          'Upload-Length': header('Bytes of the whole file, as announced.'),
          'Cache-Control': header('`no-store`.', { type: 'string' }),
        },
      },
      404: unknown,
      '4XX': { description: 'Without a body, as every answer of HEAD.' },
      '5XX': { description: 'Without a body, as every answer of HEAD.' },
    },
  },
  patch: {
    operationId: 'uploadPiece',
    tags: ['library'],
    summary: 'Bytes of an upload in pieces.',
    description:
      'PATCH of the tus protocol 1.0.0. What arrives before a cut is kept: ask with HEAD where to go on. When all is there, `libraryUpload` with the `uploadId` makes the document.',
    security: [{ userToken: [] }],
    parameters: [
      uploadId,
      protocol,
      parameter('Upload-Offset', 'header', {
        description: 'Where this piece begins in the file.',
        schema: { type: 'integer', minimum: 0 },
        isRequired: true,
      }),
    ],
    requestBody: {
      required: true,
      content: {
        'application/offset+octet-stream': {
          schema: { type: 'string', contentMediaType: 'application/octet-stream' },
          example: '%PDF-1.7',
        },
      },
    },
    responses: {
      204: { description: 'The piece is stored.', headers: offsetHeader },
      404: unknown,
      409: {
        description: '`Upload-Offset` is not where the upload goes on.',
        content: { 'text/plain': { schema: { type: 'string' } } },
      },
      '4XX': refused('Error of form (a); of the protocol itself as plain text.'),
      '5XX': refused('Error of form (a).'),
    },
  },
};

export const routePaths = { '/api/changes': changes, '/api/uploads/{uploadId}': uploads };
