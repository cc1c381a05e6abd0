import { expect, test } from 'vitest';
import { createLogger } from './log.ts';

const linesOf = (work: (log: ReturnType<typeof createLogger>) => void): string[] => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  work(createLogger('scheduler', 'info', { destination, format: 'pretty' }));
  return lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, 'TIME '));
};

test('LOG_FORMAT=pretty writes one short redacted line: time, level above info, application, message and fields', () => {
  const [info, warn, long] = linesOf((log) => {
    const at = new Date(2026, 8, 16, 12, 5).toISOString();
    log.info(
      { feed: 'metar', at, stored: 12, warnings: [], nothing: null, password: 'secret6' },
      'feed stored',
    );
    log.warn('SOURCES=simulated');
    log.info({ text: 'x'.repeat(500) }, 'long');
  });
  expect(info).toBe('TIME scheduler: feed stored feed=metar at=12:05:00 stored=12 password=[redacted]\n');
  expect(warn).toBe('TIME WARN scheduler: SOURCES=simulated\n');
  expect([long?.endsWith('x…\n'), (long?.length ?? 0) < 130]).toEqual([true, true]);
});

test('An error is whole, with the frames of this project under it', () => {
  const [line = ''] = linesOf((log) =>
    log.error({ err: new Error(`wrong ${'y'.repeat(300)}`) }, 'job failed'),
  );
  const [first, ...frames] = line.trimEnd().split('\n');
  expect(first).toBe(`TIME ERROR scheduler: job failed: wrong ${'y'.repeat(300)}`);
  expect(frames[0]).toMatch(/^ {11}at .*platform\/log\/pretty-log\.test\.ts:\d+/);
});
