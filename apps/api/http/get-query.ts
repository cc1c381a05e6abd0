/**
 * `GET /api/get/<query>?name=value`: reads through the same dispatcher as POST, for caches and for use in a browser's
 * address bar.
 */
import type { Context as KoaContext } from 'koa';
import type { ApiResponse } from '../dispatch.ts';
import { commonError } from '../errors.ts';
import { assertUtf8 } from '../pages/form.ts';
import { inputSchemaOf } from '../reference/schemas.ts';
import { isRecord } from '#domain/record.ts';
import type { Registered, Registry } from '../registry.ts';
import { answered, sendAnswer } from './calls.ts';
import type { RouteParts } from './calls.ts';
import { clientHas, createDocument } from './documents.ts';

const maxName = 60;

const typesIn = (schema: unknown): unknown[] =>
  isRecord(schema) ? [schema['type'], [schema['anyOf'], schema['oneOf']].flat().flatMap(typesIn)].flat() : [];

type FieldTypes = ReadonlyMap<string, ReadonlySet<unknown>>;

const inputTypes = new WeakMap<Registered['input'], FieldTypes>();

/** JSON types of an input's members by name, computed once. */
const inputTypesOf = (operation: Registered): FieldTypes => {
  const known = inputTypes.get(operation.input);
  if (known) return known;
  const fields = Object.entries(inputSchemaOf(operation)['properties'] ?? {});
  const types = new Map(fields.map(([name, field]) => [name, new Set(typesIn(field))]));
  inputTypes.set(operation.input, types);
  return types;
};

/** Converts a URL parameter to the type of its field; text that does not convert is left for the schema to refuse. */
const valueOf = (text: string, types: ReadonlySet<unknown>): unknown => {
  if (text === '' && types.has('null')) return null;
  if (types.has('string') || types.size === 0) return text;
  if (types.has('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  if ((types.has('number') || types.has('integer')) && /^-?\d+(?:\.\d+)?$/.test(text)) return Number(text);
  return types.has('array') ? text.split(',') : text;
};

const inputOf = (operation: Registered, parameters: URLSearchParams): Record<string, unknown> => {
  const types = inputTypesOf(operation);
  return Object.fromEntries(
    [...new Set(parameters.keys())].map((name) => {
      const values = parameters.getAll(name).map((text) => valueOf(text, types.get(name) ?? new Set()));
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
};

const found = (registry: Registry, name: string): Registered & Required<Pick<Registered, 'get'>> => {
  const operation = registry.find(name) ?? registry.find(registry.nearest(name)[0] ?? '');
  if (operation?.get && operation.name === name) return { ...operation, get: operation.get };
  const shown = operation?.name ?? '';
  throw commonError('NOT_FOUND', {
    hint:
      shown === ''
        ? 'a read is GET /api/get/<query>, such as /api/get/weather?icao=KJFK'
        : operation?.get
          ? `did you mean /api/get/${shown}?`
          : `${shown} has no GET form, which only reads with few parameters have: POST /api with {"query":"${shown}","data":{…}}`,
  });
};

/** Identifies the content, whatever its encoding; null for errors and streamed responses. */
const tagOf = ({ errorCode, parts: [text, ...more] }: ApiResponse): string | null => {
  if (errorCode !== null || typeof text !== 'string' || more.length > 0) return null;
  return createDocument('application/json', text).etag;
};

/** Answers to a token are private to its user; those without an account are public. */
const cacheControlOf = ({
  auth,
  get: { maxAgeSeconds },
}: Registered & Required<Pick<Registered, 'get'>>): string =>
  `${auth === 'none' ? 'public' : 'private'}, ${maxAgeSeconds === 0 ? 'no-cache' : `max-age=${maxAgeSeconds}`}`;

export const getQuery = (parts: RouteParts) => async (ctx: KoaContext, name: string) => {
  const operation = found(parts.registries.queries, name.slice(0, maxName));
  assertUtf8(ctx.querystring);
  const data = inputOf(operation, new URLSearchParams(ctx.querystring));
  const response = await answered(parts, ctx, { body: { query: operation.name, data } });
  ctx.vary('Authorization');
  ctx.vary('X-Dev-Key');
  const tag = tagOf(response);
  if (tag !== null) ctx.set({ ETag: tag, 'Cache-Control': cacheControlOf(operation) });
  if (tag !== null && clientHas(ctx, tag)) ctx.status = 304;
  else sendAnswer(ctx, response);
};
