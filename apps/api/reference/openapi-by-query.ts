/**
 * One path per query, `/api#weather`. Clients drop the fragment, so each generated function calls `/api` but has its
 * own types.
 */
import { takesIdempotencyKey } from '../define.ts';
import { dialects } from '../dialects.ts';
import type { DialectName } from '../dialects.ts';
import type { Registered } from '../registry.ts';
import { formOf, ref } from './components.ts';
import { errorExample, requestExample, responseExample } from './examples.ts';
import base from './openapi.json' with { type: 'json' };
import { termsOf } from './terms.ts';
import { errorsOf } from './schemas.ts';
import type { DocumentedError, JsonSchema } from './schemas.ts';
import { isRecord } from '#domain/record.ts';

const { headers, parameters } = base.components;

/** The folder of the operation: `apps/api/queries/weather/windAloft.ts`. */
export const tagOf = ({ file }: Registered): string => file.split('/').at(-2) ?? '';

const securityOf = ({ auth, devKey }: Registered) => {
  if (auth === 'jwt') return [{ userToken: [] }];
  return devKey === null ? [{}] : [{ developerKey: [] }, {}];
};

const contentOf = (operation: Registered) => ({
  'application/json': {
    schema: ref(`${operation.name}Request`),
    example: requestExample(operation),
  },
  ...(operation.upload
    ? {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['query', 'file'],
            properties: {
              query: { const: operation.name, description: 'Before the file.' },
              data: { type: 'string', description: 'The data as JSON text. Before the file.' },
              file: {
                type: 'string',
                format: 'binary',
                description: `At most ${operation.upload.maxBytes} bytes; ${operation.upload.types.join(', ')}.`,
              },
            },
          },
        },
      }
    : {}),
});

/** The dialect's error form, plus one schema per error with additional fields; the description lists the codes. */
const errorSchema = (operation: Registered, errors: readonly DocumentedError[]): JsonSchema => {
  const form = ref(formOf(operation.dialect));
  const withExtra = errors
    .filter(({ extra }) => extra !== undefined)
    .map(({ code }) => ref(`${operation.name}_${code}`));
  return withExtra.length === 0 ? form : { anyOf: [form, ...withExtra] };
};

const jsonOf = (schema: JsonSchema, example: { example?: unknown } = {}) => ({
  'application/json': { schema, ...example },
});

const statusOf = (dialect: DialectName, { status }: DocumentedError): number => {
  const form: { status: number | null } = dialects[dialect].failure;
  return form.status ?? status;
};

const codesText = (errors: readonly DocumentedError[]): string =>
  errors
    .map(({ code, message, extra }) => {
      const fields = Object.keys(extra?.['properties'] ?? {}).map((field) => `\`${field}\``);
      return `\`${code}\`: ${message}${fields.length > 0 ? ` With ${fields.join(', ')}.` : ''}`;
    })
    .join('\n\n');

const responsesOf = (operation: Registered) => {
  const byStatus = Map.groupBy(errorsOf(operation), (error) => statusOf(operation.dialect, error));
  const success = ref(`${operation.name}Response`);
  const failures = byStatus.get(200);
  return {
    200: {
      description: failures
        ? `The answer, or an error: this query answers errors with 200.\n\n${codesText(failures)}`
        : 'The answer.',
      headers,
      content: jsonOf(
        failures ? { anyOf: [success, errorSchema(operation, failures)] } : success,
        responseExample(operation.name),
      ),
    },
    ...Object.fromEntries(
      [...byStatus]
        .filter(([status]) => status !== 200)
        .map(([status, errors]) => [
          status,
          {
            description: codesText(errors),
            headers,
            content: jsonOf(errorSchema(operation, errors), errorExample(operation, errors)),
          },
        ]),
    ),
    ...([...byStatus.keys()].some((status) => status >= 400 && status < 500)
      ? {}
      : {
          '4XX': {
            description: 'The call is refused before its query is known.',
            content: jsonOf(ref('ErrorCode')),
          },
        }),
  };
};

/** The members of `data` as URL parameters. */
const parametersOf = (operation: Registered, request: JsonSchema = {}) => {
  const { data = {} } = request['properties'] as Record<string, JsonSchema>;
  const shape = [data, data['anyOf']].flat().find((each) => isRecord(each) && isRecord(each['properties']));
  const { properties = {}, required = [] } = (shape ?? {}) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const example = requestExample(operation)['data'];
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) ? { required: true } : {}),
    description,
    schema,
    ...(isRecord(example) && example[name] !== undefined ? { example: example[name] } : {}),
  }));
};

/**
 * The paths of a query: `/api#weather`, and `GET /api/get/weather` if it declares that; its answers are those of POST, plus 304.
 */
export const queryPaths = (operation: Registered, schemas: Record<string, JsonSchema>) => {
  const { name, summary, get } = operation;
  const terms = termsOf(operation);
  const common = { tags: [tagOf(operation)], summary, security: securityOf(operation) };
  const { 'X-Strict': strict, 'Idempotency-Key': key } = parameters;
  const responses = responsesOf(operation);
  const post = {
    operationId: name,
    ...common,
    description: terms,
    parameters: takesIdempotencyKey(operation) ? [strict, key] : [strict],
    requestBody: { required: true, content: contentOf(operation) },
    responses,
  };
  if (!get) return { [`/api#${name}`]: { post } };
  const kept = get.maxAgeSeconds === 0 ? 'Revalidated by its ETag.' : `Cacheable for ${get.maxAgeSeconds} s.`;
  const same = 'The answer whose ETag was sent as If-None-Match is still the current one.';
  const byGet = {
    operationId: `${name}ByGet`,
    ...common,
    description: `${terms} ${kept}`,
    parameters: [strict, ...parametersOf(operation, schemas[`${name}Request`])],
    responses: { ...responses, 304: { description: same } },
  };
  return { [`/api#${name}`]: { post }, [`/api/get/${name}`]: { get: byGet } };
};
