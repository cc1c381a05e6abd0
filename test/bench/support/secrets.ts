/** Secrets of the processes started by a benchmark, and of its tokens and keys. */
export const benchSecrets = {
  JWT_SECRET: 'bench-key-0123456789-0123456789-0123456789',
  ENCRYPTION_KEYS: 'bench-encryption-key-0123456789-0123456789',
  SAFETY_CODE: 'bench-safety-code-0123',
};
