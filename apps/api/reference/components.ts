/** The schemas of the OpenAPI documents. */
import { dialects } from '../dialects.ts';
import type { DialectName } from '../dialects.ts';
import type { Registered } from '../registry.ts';
import { errorsOf, requestSchema, responseSchema } from './schemas.ts';
import type { DocumentedError, JsonSchema } from './schemas.ts';

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const hint = { type: 'string', description: 'What was probably meant; absent when nothing is known.' };

/** Error forms by schema name. */
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
          param: {
            type: 'string',
            description: 'Path of the field in question, where it is one.',
            examples: ['weather.qnh'],
          },
          details: { type: 'array', items: { type: 'string' } },
          hint,
          docUrl: { type: 'string', description: 'The row of this code on the page of errors.' },
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
        items: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            Message: { type: 'string', description: 'Instead of `message` for feedback.' },
            code: { type: 'string', description: 'Of the first entry; the others are further lines.' },
            hint,
          },
        },
      },
    },
  },
  ErrorDetails: {
    description: 'Form (c): settings.',
    type: 'object',
    required: ['error', 'details'],
    properties: {
      error: { type: 'string' },
      details: { type: 'array', items: { type: 'string' } },
      code: { type: 'string', description: 'From status 409 on.' },
    },
  },
};

/** Errors with additional fields, by schema name. */
const errorsWithExtra = (operations: readonly Registered[]) =>
  operations.flatMap((operation) =>
    errorsOf(operation)
      .filter(({ extra }) => extra !== undefined)
      .map((error) => ({ name: `${operation.name}_${error.code}`, form: formOf(operation.dialect), error })),
  );

const errorSchema = (form: string, { code, status, extra }: DocumentedError): JsonSchema => ({
  allOf: [
    ref(form),
    ...(form === 'ErrorCode'
      ? [{ properties: { error: { properties: { code: { const: code }, status: { const: status } } } } }]
      : []),
    // Next to the form's own fields.
    { ...extra, additionalProperties: true },
  ],
});

/** Every request, response and error. */
export const componentsOf = (operations: readonly Registered[]): Record<string, JsonSchema> => ({
  ...Object.fromEntries(
    operations.map((operation) => [`${operation.name}Request`, requestSchema(operation)]),
  ),
  ...Object.fromEntries(
    operations.map((operation) => [`${operation.name}Response`, responseSchema(operation)]),
  ),
  ...errorForms,
  ...Object.fromEntries(
    errorsWithExtra(operations).map(({ name, form, error }) => [name, errorSchema(form, error)] as const),
  ),
});

/** The error form of this dialect. */
export const formOf = (dialect: DialectName): keyof typeof errorForms => {
  const form: unknown = dialects[dialect].failure;
  if (form === dialects.settings.failure) return 'ErrorDetails';
  return form === dialects.flat.failure ? 'ErrorCode' : 'ErrorList';
};
