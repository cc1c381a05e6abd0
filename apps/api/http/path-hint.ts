import type { Registry } from '../registry.ts';

/** Paths that other services have, and where it is here. */
const elsewhere: readonly [RegExp, string][] = [
  [
    /^(?:openapi|swagger|api-docs|docs\/openapi)(?:\.(?:json|ya?ml))?$/i,
    'the OpenAPI document is /api/openapi.json',
  ],
  [/^(?:swagger-ui(?:\.html)?|redoc|documentation|reference|help)$/i, 'the documentation is at /docs'],
  [/^(?:health|livez|ping|status\/health)$/i, 'the health of the service is /healthz, /readyz and /status'],
  [/^(?:graphql|rpc|jsonrpc|soap)$/i, 'queries are POST /api with {"query":"weather","data":{…}}'],
];

/** What a path that does not exist was probably meant to be; null when it resembles nothing. */
export const pathHint = (path: string, registry: Registry): string | null => {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const bare = parts.filter((part, i) => i > 0 || !/^(?:api|v\d+)$/i.test(part)).join('/');
  const known = elsewhere.find(([form]) => form.test(bare));
  if (known) return known[1];
  const named = registry.find(last) ?? registry.find(registry.nearest(last)[0] ?? '');
  const isBelowApi = parts.slice(0, -1).every((part) => /^(?:api|v\d+)$/i.test(part));
  if (named && isBelowApi && parts.length <= 3)
    return `queries have no separate paths: POST /api with {"query":"${named.name}","data":{…}}`;
  return parts.length > 0 && parts.length <= 2 && parts.some((part) => /^api$/i.test(part))
    ? 'the path is /api, in lower case and without anything after it'
    : null;
};
