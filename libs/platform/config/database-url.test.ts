import { expect, test } from 'vitest';
import { databaseUrlSchema, hostOf, withDatabase } from './database-url.ts';

test('Another database on the same server keeps user, host and parameters', () => {
  const url = 'postgresql://efb:p%40ss@a:5432/efb?sslmode=require';
  expect(withDatabase(url, 'o ther')).toBe(url.replace('/efb?', '/o%20ther?'));
  expect(withDatabase('postgres://a', 'b')).toBe('postgres://a/b');
  expect(hostOf(url)).toBe('a:5432');
});

test.each([
  ['postgresql://efb:p%40ss@[::1]:5432/efb?sslmode=require', null],
  ['postgres:///efb?host=/var/run/postgresql', null],
  ['postgres://efb:a,b@db/efb', null],
  [
    'postgres://a:5432,b/efb?target_session_attrs=read-write',
    'names several servers; give the one address behind which a proxy finds the primary',
  ],
  ['postgres://a:no/efb', 'has no valid host and port'],
  ['mysql://a/efb', 'must start with postgres://'],
])('%s: the problem is %j', (url, problem) => {
  const result = databaseUrlSchema.safeParse(url);
  expect(result.error?.issues.map(({ message }) => message) ?? [null]).toEqual([problem]);
});
