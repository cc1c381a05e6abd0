import { apiVersion } from '../dialects.ts';
import type { Registered, Registries } from '../registry.ts';
import { actionSchemas, subscriptionPaths, subscriptionSecurity } from './openapi-subscriptions.ts';
import { documentedError, errorsOf, requestSchema, responseSchema } from './schemas.ts';
import type { DocumentedError, JsonSchema } from './schemas.ts';

export interface ReferenceDocuments {
  /** OpenAPI 3.1 document as JSON text. */
  document: string;
  /** Names and URLs of the schemas, as JSON text. */
  index: string;
  /** JSON Schema of one operation as JSON text, by name. */
  schemas: ReadonlyMap<string, string>;
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const errorForms: Record<string, JsonSchema> = {
  ErrorCode: {
    description: 'Form (a): most operations.',
    type: 'object',
    required: ['success', 'error'],
    properties: {
      success: { const: false },
      error: {
        type: 'object',
        required: ['message', 'code', 'status'],
        properties: {
          message: { type: 'string' },
          code: { type: 'string' },
          status: { type: 'integer' },
          details: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
  ErrorList: {
    description: 'Form (b): weather, navdata, feedback, reports.',
    type: 'object',
    required: ['Error'],
    properties: {
      Error: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', properties: { message: { type: 'string' }, Message: { type: 'string' } } },
      },
    },
  },
  ErrorDetails: {
    description: 'Form (c): settings.',
    type: 'object',
    required: ['error', 'details'],
    properties: { error: { type: 'string' }, details: { type: 'array', items: { type: 'string' } } },
  },
};

/** Errors with additional fields, with the name of their schema. */
const errorsWithExtra = (operations: readonly Registered[]) =>
  operations.flatMap((operation) =>
    errorsOf(operation)
      .filter(({ extra }) => extra !== undefined)
      .map((error) => ({ name: `${operation.name}_${error.code}`, error })),
  );

const errorSchema = ({ code, status, extra }: DocumentedError): JsonSchema => ({
  allOf: [
    ref('ErrorCode'),
    { properties: { error: { properties: { code: { const: code }, status: { const: status } } } } },
    // Next to the fields of the form.
    { ...extra, additionalProperties: true },
  ],
});

const componentsOf = (operations: readonly Registered[]): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    operations.map((operation) => [`${operation.name}Request`, requestSchema(operation)]),
  ),
  ...Object.fromEntries(
    operations.map((operation) => [`${operation.name}Response`, responseSchema(operation)]),
  ),
  ...errorForms,
  ...Object.fromEntries(
    errorsWithExtra(operations).map(({ name, error }) => [name, errorSchema(error)] as const),
  ),
});

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

const strictHeader = {
  name: 'X-Strict',
  in: 'header',
  description: '1: unknown keys of the input are refused with INVALID_INPUT.',
  schema: { type: 'string', enum: ['0', '1'], default: '0' },
};

const documentOf = (operations: readonly Registered[], registries: Registries, baseUrl: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'EFB Service, main interface',
    version: apiVersion,
    description: 'One endpoint; the field `query` names the operation. Generated from the declarations.',
  },
  servers: [{ url: baseUrl }],
  paths: {
    '/api': {
      post: {
        operationId: 'query',
        security: [{}, { userToken: [] }],
        parameters: [strictHeader],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                oneOf: operations.map((operation) => ref(`${operation.name}Request`)),
                discriminator: { propertyName: 'query', mapping: mappingOf(operations) },
              },
            },
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['query'],
                properties: {
                  query: { type: 'string' },
                  data: { type: 'string', description: 'JSON text.' },
                  file: { type: 'string', format: 'binary' },
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
          'UNEXPECTED_FILE',
          'METHOD_NOT_ALLOWED',
          'PAYLOAD_TOO_LARGE',
          'UNSUPPORTED_MEDIA_TYPE',
        ].map((code) => documentedError({}, code)),
      },
    },
    ...subscriptionPaths(registries),
  },
  components: {
    securitySchemes: {
      userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      ...subscriptionSecurity,
    },
    schemas: { ...componentsOf(operations), ...actionSchemas(registries) },
  },
});

/** Everything a client generator needs, generated from the declarations, so it cannot be out of date. */
export const referenceDocuments = (registries: Registries, baseUrl: string): ReferenceDocuments => {
  const operations = [...registries.queries.operations].sort((a, b) => a.name.localeCompare(b.name));
  const schemas = operations.map((operation): [string, string] => [
    operation.name,
    JSON.stringify({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: `${baseUrl}/api/schemas/${operation.name}.json`,
      title: operation.name,
      description: operation.summary,
      type: 'object',
      properties: { request: requestSchema(operation), response: responseSchema(operation) },
      'x-errors': errorsOf(operation),
    }),
  ]);
  return {
    document: JSON.stringify(documentOf(operations, registries, baseUrl)),
    index: JSON.stringify({
      apiVersion,
      schemas: operations.map(({ name }) => ({ name, url: `${baseUrl}/api/schemas/${name}.json` })),
    }),
    schemas: new Map(schemas),
  };
};
