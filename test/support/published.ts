/** The published JSON Schemas of answers, for ajv: test/api.ts checks every answer against them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { formOf } from '#api/reference/components.ts';
import { documentedError, errorsOf } from '#api/reference/schemas.ts';
import { loadRegistries } from '#api/registry.ts';
import type { Registered } from '#api/registry.ts';
import { isRecord } from './fuzz/valid.ts';

export interface Published {
  /** Members of an answer that its operation does not publish; none for operations of tests. */
  problems: (query: string, status: number, body: Record<string, unknown>) => string[];
}

/** Errors of a body refused before its query is known. */
const frontErrors = [
  'MISSING_QUERY',
  'UNKNOWN_QUERY',
  'INVALID_JSON',
  'JSON_TOO_DEEP',
  'UNEXPECTED_FILE',
  'METHOD_NOT_ALLOWED',
  'REQUEST_TIMEOUT',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
];

const codeOf = (body: Record<string, unknown>): unknown => {
  const { error, Error: list } = body;
  if (isRecord(error)) return error['code'];
  return Array.isArray(list) && isRecord(list[0]) ? list[0]['code'] : null;
};

const load = async (url: string): Promise<Published> => {
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as object;
  // A check runs a few times, so optimising its code would take longer than running it.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  addFormats.default(ajv);
  ajv.addSchema(document, 'api');
  const front = new Map(frontErrors.map((code) => [code, documentedError({}, code).status]));
  const { queries, actions } = await loadRegistries();
  const byName = new Map<string, Registered>(
    [...queries.operations, ...actions.operations].flatMap((operation) =>
      [operation.name, ...(operation.aliases ?? [])].map((name) => [name, operation]),
    ),
  );

  const against = (name: string, value: unknown): string[] => {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`);
    if (!validate) return [`no schema ${name}`];
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => `${name}${error.instancePath} ${error.message ?? ''}`);
  };

  return {
    problems: (query, status, body) => {
      const operation = byName.get(query);
      if (!operation) return [];
      const { name, dialect } = operation;
      if (status === 200 && !('Error' in body)) return against(`${name}Response`, body);
      const code = String(codeOf(body));
      const isFront = front.get(code) === status && isRecord(body['error']);
      const form = isFront ? 'ErrorCode' : formOf(dialect);
      const found = against(form, body);
      if (isFront || form === 'ErrorDetails') return found;
      const documented = errorsOf(operation).find((error) => error.code === code);
      if (!documented) return [...found, `undocumented code ${code}`];
      if (status !== documented.status && dialect !== 'navdata')
        found.push(`${code} with ${status}, not ${documented.status}`);
      return documented.extra && form === 'ErrorCode' && operation.kind === 'query'
        ? [...found, ...against(`${name}_${code}`, body)]
        : found;
    },
  };
};

let published: Promise<Published> | undefined;

/** The document of a running service, read once per process; after a failure again. */
export const publishedBy = (url: string): Promise<Published> => {
  published ??= load(url);
  published.catch(() => (published = undefined));
  return published;
};
