/** The first start on machines whose clock is years away from the magnetic model. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { isAlive, startService } from '#test/support/process.ts';

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
const note = library === undefined ? ' (skipped: libfaketime is not installed)' : '';

const onClock = (time: string) => ({
  LD_PRELOAD: library ?? '',
  FAKETIME: `@${time}`,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

describe.skipIf(library === undefined)(`on another clock${note}`, () => {
  test.each([
    ['2024-12-31 12:00:00', false],
    ['2029-12-31 23:00:00', true],
    ['2031-06-01 12:00:00', false],
    ['2038-01-19 03:14:00', false],
  ])(
    'Seed and import are complete at %s, with or without a valid magnetic model',
    async (time, isCurrent) => {
      const child = join(import.meta.dirname, '../support/seed-and-import.ts');
      const { stdout } = await promisify(execFile)(process.execPath, [child], {
        env: { ...process.env, ...onClock(time) },
      });
      const { seeded, imported, ...rest } = JSON.parse(stdout) as { seeded: number; imported: number };
      expect(rest).toEqual({
        time: expect.stringContaining(time.slice(0, 10)),
        isVariationCurrent: isCurrent,
      });
      expect(seeded).toBeGreaterThan(7_000);
      expect(imported).toBeGreaterThan(50);
    },
  );

  test('A first start in the year 2100 is seeded and becomes ready', { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), `efb-test-${process.pid}-`));
    const service = startService(join(import.meta.dirname, '../../apps/main.cjs'), {
      DATA_DIR: join(folder, 'data'),
      SOURCES: 'simulated',
      LANES: 'durable,compute',
      ...onClock('2100-03-01 12:00:00'),
    });
    try {
      const status = await fetch(`${await service.ready()}/status.json`);
      const { time, database } = (await status.json()) as Record<string, unknown>;
      expect([status.status, time, database]).toEqual([200, expect.stringMatching(/^2100-03-01 12:/), 'ok']);
    } finally {
      if (isAlive(service.pid)) process.kill(service.pid, 'SIGTERM');
      await service.exit;
      await rm(folder, { recursive: true, force: true });
    }
  });
});
