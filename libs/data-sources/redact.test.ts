import { expect, test } from 'vitest';
import { redactedJson } from './redact.ts';

test('dev_key, api_key, password and any name with token are redacted, at any depth (M-5.8)', () => {
  const text = redactedJson({
    dev_key: 'c1',
    api_key: 'c2',
    password: 'c3',
    refreshToken: 'c4',
    TOKENS: ['c5'],
    'X-Signature': 'c6',
    devKey: 'c7',
    list: [{ deep: { pin: 'c8', shareCode: 'c9', keep: 'visible', none: null } }],
  });
  expect(text).not.toMatch(/c\d/);
  expect(text).toContain('"keep":"visible"');
  expect(redactedJson({ password: null })).toBe('{"password":null}');
  expect(redactedJson(undefined)).toBeNull();
});

test('Headers that carry credentials are redacted (M-5.8)', () => {
  const names = ['authorization', 'proxy-authorization', 'cookie', 'x-dev-key', 'x-api-key', 'x-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, 'canary']));
  expect(redactedJson(headers)).not.toContain('canary');
});

test('A known text is kept only when nothing in it looks secret (M-5.8)', () => {
  const kept = { note: 'no secrets here', n: 1 };
  expect(redactedJson(kept, '{"note":"no secrets here","n":1}')).toBe('{"note":"no secrets here","n":1}');
  for (const name of ['dev_key', 'apiKey', 'PASSWORD', 'shareToken', 'resetTokenHash', 'x-signature']) {
    const value = { list: [{ [name]: 'canary' }] };
    expect([name, redactedJson(value, JSON.stringify(value))]).toEqual([
      name,
      `{"list":[{"${name}":"[redacted]"}]}`,
    ]);
  }
  const blob = { png: 'A'.repeat(5_000) };
  expect(redactedJson(blob, JSON.stringify(blob))).toContain('5000 characters of base64');
});
