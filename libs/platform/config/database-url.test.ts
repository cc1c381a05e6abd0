import { describe, expect, test } from 'vitest';
import { addressesOf, databaseUrlSchema, hostsOf, withDatabase } from './database-url.ts';

const several = 'postgresql://efb:p%40ss@a:5432,[::1],c/efb?target_session_attrs=read-write&sslmode=require';

describe('an address of several servers', () => {
  test('Is that of each of them with the same user, database and parameters', () => {
    expect(addressesOf(several)).toEqual([
      'postgresql://efb:p%40ss@a:5432/efb?sslmode=require',
      'postgresql://efb:p%40ss@[::1]/efb?sslmode=require',
      'postgresql://efb:p%40ss@c/efb?sslmode=require',
    ]);
    expect(addressesOf('postgres://a/efb?x=1')).toEqual(['postgres://a/efb?x=1']);
    expect(hostsOf(several)).toBe('a:5432,[::1],c');
    expect(withDatabase(several, 'o ther')).toBe(several.replace('/efb?', '/o%20ther?'));
    expect(withDatabase('postgres://a', 'b')).toBe('postgres://a/b');
  });

  test.each([
    [several, null],
    ['postgres:///efb?host=/var/run/postgresql', null],
    ['postgres://a,b/efb?target_session_attrs=primary', null],
    [
      'postgres://a,b/efb?target_session_attrs=any',
      'has target_session_attrs=any; the service writes, so it must be read-write',
    ],
    ['postgres://a:1,b:no/efb', 'has a server that is no host with a port'],
    ['mysql://a/efb', 'must start with postgres://'],
  ])('%s: the problem is %j', (url, problem) => {
    const result = databaseUrlSchema.safeParse(url);
    expect(result.error?.issues.map(({ message }) => message) ?? [null]).toEqual([problem]);
  });
});
