/** Schemas of calls, answers and errors in the OpenAPI document. */
import { dialects } from '../dialects.ts';
import type { DialectName } from '../dialects.ts';
import type { Registered } from '../registry.ts';
import base from './openapi.json' with { type: 'json' };
import { errorsOf, requestSchema, responseSchema } from './schemas.ts';
import type { DocumentedError, JsonSchema } from './schemas.ts';

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

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
  ...base.components.schemas,
  ...Object.fromEntries(
    errorsWithExtra(operations).map(({ name, form, error }) => [name, errorSchema(form, error)] as const),
  ),
});

/** The error form of this dialect. */
export const formOf = (dialect: DialectName): keyof typeof base.components.schemas => {
  const form: unknown = dialects[dialect].failure;
  if (form === dialects.settings.failure) return 'ErrorDetails';
  return form === dialects.flat.failure ? 'ErrorCode' : 'ErrorList';
};
