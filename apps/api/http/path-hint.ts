import type { Registry } from '../registry.ts';

/** What a path that does not exist was probably meant to be; null when it resembles nothing. */
export const pathHint = (path: string, registry: Registry): string | null => {
  const parts = path.split('/').filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const named = registry.find(last) ?? registry.find(registry.nearest(last)[0] ?? '');
  const isBelowApi = parts.slice(0, -1).every((part) => /^(?:api|v\d+)$/i.test(part));
  if (named && isBelowApi && parts.length <= 3)
    return `queries have no separate paths: POST /api with {"query":"${named.name}","data":{…}}`;
  return parts.length > 0 && parts.length <= 2 && parts.some((part) => /^api$/i.test(part))
    ? 'the path is /api, in lower case and without anything after it'
    : null;
};
