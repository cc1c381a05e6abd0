/** Of the processes that a benchmark starts, and of the tokens and keys that it makes for them. */
export const benchSecrets = {
  JWT_SECRET: 'bench-key-0123456789-0123456789-0123456789',
  ENCRYPTION_KEYS: 'bench-encryption-key-0123456789-0123456789',
  SAFETY_CODE: 'bench-safety-code-0123',
};
