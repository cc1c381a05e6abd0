import { takesIdempotencyKey } from '../define.ts';
import { z } from 'zod';
import { apiVersion, successEnvelope } from '../dialects.ts';
import { commonErrors, errorEntry } from '../errors.ts';
import type { CommonCode, ErrorEntry, ErrorTable } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { described } from './describe.ts';
import { isRecord } from '#domain/record.ts';

export type JsonSchema = Record<string, unknown>;

/** JSON Schema has no keyword for byte limits, so they become an extension; OpenAPI tools expect `items` in every array. */
const toOpenApi = (schema: JsonSchema): void => {
  const { maxBytes, prefixItems } = schema;
  if (maxBytes !== undefined) {
    delete schema['maxBytes'];
    schema['x-max-bytes'] = maxBytes;
  }
  if (Array.isArray(prefixItems)) {
    const count = prefixItems.length;
    Object.assign(schema, { items: prefixItems[0] as unknown, minItems: count, maxItems: count });
  } else if ([schema['type']].flat().includes('array')) schema['items'] ??= {};
};

/** Unknown input keys are ignored, so the published schema does not forbid them. */
const withoutClosing = (key: string, value: unknown): unknown =>
  key === 'additionalProperties' && value === false ? undefined : value;

/** Types that JSON Schema cannot express (dates, transforms) appear in their wire format or as any value. */
const toSchema = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Zod adds it to every integer; it says nothing about the field.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      toOpenApi(jsonSchema as JsonSchema);
    },
  });
  return io === 'input' ? (JSON.parse(JSON.stringify(rest), withoutClosing) as JsonSchema) : rest;
};

/** The bare input, as signed actions take it. */
export const inputSchemaOf = ({ input }: Registered): JsonSchema => toSchema(input, 'input');

/** The request body: the operation's name or alias, and its data. */
export const requestSchema = (operation: Registered): JsonSchema => {
  const data = toSchema(operation.input, 'input');
  const isOptional = operation.input.safeParse({}).success;
  const keyField =
    operation.auth === 'none' ? { devKey: { type: 'string' } } : { dev_key: { type: 'string' } };
  return {
    type: 'object',
    title: operation.name,
    description: operation.summary,
    required: ['query', ...(isOptional || operation.inputFrom === 'bodyAndData' ? [] : ['data'])],
    properties: {
      query: operation.aliases?.length
        ? { enum: [operation.name, ...operation.aliases] }
        : { const: operation.name },
      ...(operation.devKey === null ? {} : keyField),
      data: isOptional ? { anyOf: [data, { type: 'null' }] } : data,
    },
  };
};

/** Adds required fields to a schema, in each alternative of a union, since alternatives may be closed. */
const withFields = (schema: JsonSchema, fields: JsonSchema): JsonSchema => {
  for (const union of ['anyOf', 'oneOf'] as const) {
    const branches = schema[union];
    if (Array.isArray(branches))
      return { ...schema, [union]: branches.map((branch: JsonSchema) => withFields(branch, fields)) };
  }
  const { properties, required } = schema;
  return {
    ...schema,
    properties: { ...fields, ...(isRecord(properties) ? properties : {}) },
    required: [
      ...new Set([...Object.keys(fields), ...(Array.isArray(required) ? (required as string[]) : [])]),
    ],
  };
};

/** The response to a successful call: the output in the envelope of its dialect. */
export const responseSchema = (operation: Registered): JsonSchema => {
  const output = toSchema(operation.output, 'output');
  const { nested, fields } = successEnvelope(operation.dialect);
  const envelope = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value === apiVersion ? { type: 'string' } : { const: value },
    ]),
  );
  if (nested !== null) {
    return {
      type: 'object',
      required: [...Object.keys(envelope), nested],
      properties: { ...envelope, [nested]: output },
      additionalProperties: false,
    };
  }
  return withFields(output, envelope);
};

const authCodes = ({ auth, kind }: Registered): CommonCode[] => {
  if (auth === 'none') return [];
  if (kind === 'webhook') return ['INVALID_SIGNATURE', 'PAYLOAD_TOO_LARGE'];
  if (auth !== 'signed') return ['AUTH_REQUIRED', 'ACCOUNT_DISABLED'];
  return [
    'METHOD_NOT_ALLOWED',
    'MISSING_HEADER',
    'TIMESTAMP_OUT_OF_RANGE',
    'INVALID_API_KEY',
    'INVALID_SIGNATURE',
    'ACCOUNT_DISABLED',
  ];
};

const when = (isPossible: unknown, ...codes: CommonCode[]): CommonCode[] => (isPossible ? codes : []);

/** Errors of the stages. */
const stageCodes = (operation: Registered): CommonCode[] => {
  const { kind, devKey, isForGuests, changesState, level, creates } = operation;
  const tier = typeof devKey === 'object' && devKey && 'subscription' in devKey && devKey.subscription;
  return [
    'INVALID_INPUT',
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    'SERVICE_UNAVAILABLE',
    ...authCodes(operation),
    // Tokens of visitors without an account are limited to guest queries.
    ...when(kind === 'query' && !isForGuests, 'ACCESS_DENIED'),
    ...when(changesState, 'CONFIRMATION_REQUIRED', 'CONFIRMATION_INVALID'),
    ...when(changesState, 'CONFIRMATION_EXPIRED', 'CONFIRMATION_USED'),
    // Possible even where no key is required: a presented key is checked, and a token is tied to the key of its login.
    ...when(kind !== 'webhook', 'INVALID_DEV_KEY'),
    ...when(devKey !== null, 'ACCESS_DENIED'),
    ...(tier ? ([`SUBSCRIPTION_${tier}_REQUIRED`] as const) : []),
    ...when(level, 'SUBSCRIPTION_LEVEL_REQUIRED'),
    ...when(creates, 'DELETED_SINCE'),
    ...when(takesIdempotencyKey(operation), 'INVALID_IDEMPOTENCY_KEY', 'IDEMPOTENCY_KEY_REUSED'),
    ...when(takesIdempotencyKey(operation), 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENT_ANSWER_LOST'),
  ];
};

export interface DocumentedError {
  code: string;
  status: number;
  message: string;
  /** Additional fields next to the error. */
  extra?: JsonSchema;
}

/** Documentation of one code of this table. */
export const documentedError = (errors: ErrorTable, code: string, operation = 'any'): DocumentedError => {
  const { status, message, extra } = errorEntry(errors, code) ?? (commonErrors.INTERNAL_ERROR as ErrorEntry);
  return {
    code,
    status,
    message,
    ...(extra ? { extra: described(`${operation}_${code}`, toSchema(extra, 'output')) } : {}),
  };
};

/** All errors of an operation, its declared ones first, without duplicates. */
export const errorsOf = (operation: Registered): DocumentedError[] =>
  [...new Set([...Object.keys(operation.errors), ...stageCodes(operation)])].map((code) =>
    documentedError(operation.errors, code, operation.name),
  );
