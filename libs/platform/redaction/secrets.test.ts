import { expect, test } from 'vitest';
import { withoutSecrets } from './redact.ts';

test('A token count is shown, while tokens and other numbers under secret names are not', () => {
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
