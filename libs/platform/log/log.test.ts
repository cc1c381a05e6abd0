import { expect, test } from 'vitest';
import { newDeveloperKey } from '../developer-keys.ts';
import { createLogger } from './log.ts';

const logged = (work: (log: ReturnType<typeof createLogger>) => void): Record<string, unknown> => {
  const lines: string[] = [];
  work(createLogger('test', 'info', { destination: { write: (line) => void lines.push(line) } }));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.endsWith('}\n')).toBe(true);
  return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
};

test('Secrets by name are redacted at any depth, including those of child loggers (M-5.8)', () => {
  const line = logged((log) =>
    log
      .child({ token: 'c1', user: { pin: 1 } })
      .info({ a: { b: [{ 'x-dev-key': 'c1' }] }, DATABASE_URL: 'postgres://a@b/c1', passengers: 3 }, 'Hello'),
  );
  expect(line).toMatchObject({
    app: 'test',
    level: 30,
    msg: 'Hello',
    token: '[redacted]',
    user: { pin: '[redacted]' },
    a: { b: [{ 'x-dev-key': '[redacted]' }] },
    DATABASE_URL: '[redacted]',
    passengers: 3,
  });
});

test('Messages, stacks, causes and fields of errors contain no secret and are otherwise unchanged', () => {
  const key = newDeveloperKey();
  const cause = new Error(`GET https://efb.example/?page=1&token=c1c1 with ${key}`);
  const error = Object.assign(new Error(`bad body {"password":"c1c1","icao":"KJFK"}`, { cause }), {
    code: '23502',
    detail: 'Failing row contains (7, API-ABCD-EF12-3456, $argon2id$v=19$m=1,t=2,p=1$c1c1$c1c1).',
    config: { headers: { authorization: 'c1c1' } },
  });
  const line = logged((log) => log.error({ err: error }, 'failed'));
  const text = JSON.stringify(line);
  for (const secret of ['c1c1', key, 'API-ABCD'])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
  expect(line['err']).toMatchObject({
    type: 'Error',
    code: '23502',
    message: expect.stringContaining('{"password":"[redacted]","icao":"KJFK"}'),
    stack: expect.stringContaining(
      'caused by: Error: GET https://efb.example/?page=1&token=[redacted] with [redacted]',
    ),
    detail: 'Failing row contains (7, [redacted], [redacted]).',
    config: { headers: { authorization: '[redacted]' } },
  });
});

test('A long line is truncated and remains JSON with level, time and application', () => {
  const line = logged((log) => log.warn({ token: 'c1', note: 'word '.repeat(100_000) }, 'long'));
  expect(line).toMatchObject({
    level: 40,
    time: expect.stringMatching(/^\d{4}-/),
    app: 'test',
    truncated: true,
    bytes: expect.any(Number),
    start: expect.stringContaining('"token":"[redacted]"'),
  });
  expect(JSON.stringify(line).length).toBeLessThan(70_000);
});

test('LOG_FORMAT=pretty writes a redacted readable line with the stack of an error below it', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger('scheduler', 'info', { destination, format: 'pretty' });
  log.info({ feed: 'metar', stored: 12, password: 'secret6' }, 'feed stored');
  log.error({ err: new Error('wrong') }, 'job failed');
  expect(lines[0]).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: scheduler: feed stored \{"feed":"metar","stored":12,"password":"\[redacted\]"\}\n$/,
  );
  expect(lines[1]).toMatch(/ERROR: scheduler: job failed[^]*Error: wrong\n[^]*at .*log\.test\.ts/);
});
