/** `?form=single`: the one path `/api` with every request and response as alternatives. */
import type { Registered } from '../registry.ts';
import { errorForms, errorsWithExtra, ref } from './components.ts';
import { namedExamples, recordedExample, requestExample } from './examples.ts';
import { idempotencyHeader, strictHeader } from './openapi-parts.ts';
import { documentedError, errorsOf } from './schemas.ts';

const mappingOf = (operations: readonly Registered[]): Record<string, string> =>
  Object.fromEntries(
    operations.flatMap((operation) =>
      [operation.name, ...(operation.aliases ?? [])].map((name) => [
        name,
        `#/components/schemas/${operation.name}Request`,
      ]),
    ),
  );

const statuses = [400, 401, 403, 404, 405, 409, 410, 413, 415, 422, 429, 500, 502, 503];

export const singlePath = (operations: readonly Registered[]) => ({
  '/api': {
    post: {
      operationId: 'query',
      tags: ['queries'],
      summary: 'Every query.',
      description: 'The field `query` of the body names the operation, `data` has its input.',
      security: [{}, { userToken: [] }, { developerKey: [] }],
      parameters: [strictHeader, idempotencyHeader],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              oneOf: operations.map((operation) => ref(`${operation.name}Request`)),
              discriminator: { propertyName: 'query', mapping: mappingOf(operations) },
            },
            ...namedExamples(operations, requestExample),
          },
          'multipart/form-data': {
            schema: {
              type: 'object',
              required: ['query'],
              properties: {
                query: { type: 'string', description: 'Names the operation. Before the file.' },
                data: { type: 'string', description: 'The data as JSON text. Before the file.' },
                file: { type: 'string', format: 'binary', description: 'Content of the file.' },
              },
            },
          },
        },
      },
      responses: {
        200: {
          description: 'The answer of the operation.',
          headers: {
            'X-SVC-Log-Id': { schema: { type: 'integer' } },
            'X-Request-Id': { schema: { type: 'string' } },
          },
          content: {
            'application/json': {
              schema: { anyOf: operations.map((operation) => ref(`${operation.name}Response`)) },
              ...namedExamples(operations, ({ name }) => recordedExample(name)?.response),
            },
          },
        },
        ...Object.fromEntries(
          statuses.map((status) => [
            status,
            {
              description: 'Error in the form of the operation.',
              content: {
                'application/json': {
                  schema: {
                    anyOf: [
                      ...Object.keys(errorForms),
                      ...errorsWithExtra(operations)
                        .filter(({ error }) => error.status === status)
                        .map(({ name }) => name),
                    ].map((name) => ref(name)),
                  },
                },
              },
            },
          ]),
        ),
      },
      'x-response-by-query': Object.fromEntries(
        operations.map((operation) => [operation.name, `#/components/schemas/${operation.name}Response`]),
      ),
      'x-errors-by-query': Object.fromEntries(
        operations.map((operation) => [operation.name, errorsOf(operation)]),
      ),
      'x-front-errors': [
        'MISSING_QUERY',
        'UNKNOWN_QUERY',
        'INVALID_JSON',
        'JSON_TOO_DEEP',
        'UNEXPECTED_FILE',
        'METHOD_NOT_ALLOWED',
        'REQUEST_TIMEOUT',
        'PAYLOAD_TOO_LARGE',
        'UNSUPPORTED_MEDIA_TYPE',
      ].map((code) => documentedError({}, code)),
    },
  },
});
