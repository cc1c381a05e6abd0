import { expect, test } from 'vitest';
import { withoutSecrets } from './redact.ts';

test('A number of tokens is shown, tokens and other numbers of secret names are not', () => {
  expect(
    withoutSecrets({ tokens: 3, refreshTokens: 1, token: 4, pin: 1234, deep: [{ tokens: ['a'] }] }),
  ).toEqual({
    tokens: 3,
    refreshTokens: 1,
    token: '[redacted]',
    pin: '[redacted]',
    deep: [{ tokens: '[redacted]' }],
  });
});
