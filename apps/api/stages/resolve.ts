import type { Call } from '../call.ts';
import { commonError, commonErrors } from '../errors.ts';
import type { CommonCode } from '../errors.ts';
import type { Registered, Registry } from '../registry.ts';

/** Features of other services, and their counterparts here. */
const others: readonly [RegExp, string][] = [
  [
    /^(?:openapi|swagger|api-docs|docs\/openapi)(?:\.(?:json|ya?ml))?$/i,
    'the OpenAPI document is /api/openapi.json',
  ],
  [/^(?:swagger-ui(?:\.html)?|redoc|documentation|reference|help)$/i, 'the documentation is at /docs'],
  [/^(?:health|livez|ping|status\/health)$/i, 'the health of the service is /healthz, /readyz and /status'],
  [/^(?:version|info|about)$/i, 'the version is apiVersion of every answer'],
  [/^(?:graphql|rpc|jsonrpc|soap)$/i, 'queries are POST /api with {"query":"weather","data":{…}}'],
];

export const elsewhere = (name: string): string | null =>
  others.find(([form]) => form.test(name))?.[1] ?? null;

/** Field names that other APIs use for the operation. */
const otherNames = /^(?:queries|query|quer|q|method|action|operation|op|name|type|endpoint|request)$/i;

/** The hint for a call without a query name: what its body contains instead. */
const missingQueryHint = ({ body: { fields, bytes } }: Call): string => {
  const example = 'the body is {"query":"weather","data":{"icao":"KJFK"}}';
  if (bytes === 0) return `the body is empty; ${example}`;
  if (fields['query'] !== undefined) return `query must be a text, the name of a query; ${example}`;
  const other = Object.keys(fields).find((name) => otherNames.test(name));
  return other === undefined ? example : `${other}: is not known; did you mean query?`;
};

/** The operation by name or alias. Throws for a missing or unknown name, with the nearest known ones. */
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
  const place = elsewhere(name);
  const nearest = place === null ? registry.nearest(name) : [];
  const question = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  throw commonError(unknown, {
    message: commonErrors[unknown].message + question,
    extra: { nearest },
    hint: nearest.length === 0 ? (place ?? 'all queries are at /docs') : null,
  });
};

/** The operation, or null: the error for an unknown one has to wait until the call is counted. */
export const peek = (registry: Registry, name: unknown): Registered | null =>
  (typeof name === 'string' && registry.find(name)) || null;

/** How calls to an entry point name their operation. */
export interface Naming {
  nameOf: (call: Call) => unknown;
  missing: CommonCode;
  unknown: CommonCode;
  /** Exempt from the general limit of users and addresses. */
  isUncounted?: boolean;
}

/** On the main interface, the body names the query. */
export const byQuery: Naming = {
  nameOf: (call) => call.body.fields['query'],
  missing: 'MISSING_QUERY',
  unknown: 'UNKNOWN_QUERY',
};

/** On the signed endpoint, the URL names the action. */
export const byAction: Naming = {
  nameOf: ({ request }) => request.parameters?.['action'],
  missing: 'UNKNOWN_ACTION',
  unknown: 'UNKNOWN_ACTION',
};

/** Each webhook has its own path; gateways send in bursts, so a separate limit applies. */
export const byPath: Naming = {
  nameOf: ({ request }) => request.parameters?.['webhook'],
  missing: 'NOT_FOUND',
  unknown: 'NOT_FOUND',
  isUncounted: true,
};
