import { isSecretName } from './names.ts';

const shown = '[redacted]';

/** `tokens: 3` is a count. */
const isCounter = (name: string, value: unknown): boolean =>
  typeof value === 'number' && /tokens$/i.test(name);

/** The value with secret fields replaced, at any depth. */
export const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && !isCounter(name, inner) ? shown : withoutSecrets(inner),
    ]),
  );
};
