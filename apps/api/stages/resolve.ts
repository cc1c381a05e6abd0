import type { Call } from '../call.ts';
import { commonError, commonErrors } from '../errors.ts';
import type { CommonCode } from '../errors.ts';
import type { Registered, Registry } from '../registry.ts';

const maxNearest = 3;

/** Names under which other interfaces have the name of the operation. */
const otherNames = /^(?:queries|query|quer|q|method|action|operation|op|name|type|endpoint|request)$/i;

/** What a call without the name of a query has in its place. */
const missingQueryHint = ({ body: { fields, bytes } }: Call): string => {
  const example = 'the body is {"query":"weather","data":{"icao":"KJFK"}}';
  if (bytes === 0) return `the body is empty; ${example}`;
  if (fields['query'] !== undefined) return `query must be a text, the name of a query; ${example}`;
  const other = Object.keys(fields).find((name) => otherNames.test(name));
  return other === undefined ? example : `${other}: is not known; did you mean query?`;
};

/** Queries whose summary has the word: `metar` is in `weather`, `landing` in `performance`. */
const bySummary = ({ operations }: Registry, name: string): string[] => {
  const word = name.trim().toLowerCase();
  return operations
    .filter(({ summary }) =>
      summary
        .toLowerCase()
        .split(/[^a-z]+/)
        .includes(word),
    )
    .slice(0, maxNearest)
    .map((operation) => operation.name);
};

/**
 * The operation that the call names, by name or alias. Throws the error for a missing or an unknown name, with the nearest known.
 */
export const resolve = (registry: Registry, call: Call, naming: Naming): Registered => {
  const { nameOf, missing, unknown } = naming;
  const name = nameOf(call);
  if (typeof name !== 'string' || name === '')
    throw commonError(missing, {
      ...(missing === 'UNKNOWN_ACTION' ? { extra: { nearest: [] } } : {}),
      hint: missing === 'MISSING_QUERY' ? missingQueryHint(call) : null,
    });
  const operation = registry.find(name);
  if (operation) return operation;
  const similar = registry.nearest(name);
  const nearest = similar.length > 0 ? similar : bySummary(registry, name);
  const question = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  throw commonError(unknown, {
    message: commonErrors[unknown].message + question,
    extra: { nearest },
  });
};

/** The operation named by the call, or null: its error must wait until the call has been counted. */
export const peek = (registry: Registry, name: unknown): Registered | null =>
  (typeof name === 'string' && registry.find(name)) || null;

/** How the calls of one entry point name their operation. */
export interface Naming {
  nameOf: (call: Call) => unknown;
  missing: CommonCode;
  unknown: CommonCode;
  /** Calls are not counted against the general limit of users and addresses. */
  isUncounted?: boolean;
}

/** In the main interface the body names the operation. */
export const byQuery: Naming = {
  nameOf: (call) => call.body.fields['query'],
  missing: 'MISSING_QUERY',
  unknown: 'UNKNOWN_QUERY',
};

/** At the signed endpoint the URL names the action. */
export const byAction: Naming = {
  nameOf: ({ request }) => request.parameters?.['action'],
  missing: 'UNKNOWN_ACTION',
  unknown: 'UNKNOWN_ACTION',
};

/** A webhook has its own path; gateways send in bursts, so they have a separate limit. */
export const byPath: Naming = {
  nameOf: ({ request }) => request.parameters?.['webhook'],
  missing: 'NOT_FOUND',
  unknown: 'NOT_FOUND',
  isUncounted: true,
};
