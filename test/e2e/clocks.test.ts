/** The first start on machines whose clock is years away from the magnetic model. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSeedAirports } from '#data/feeds/airports/import.ts';
import { isAlive, startService } from '#test/support/process.ts';

const library = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path));
const note = library === undefined ? ' (skipped: libfaketime is not installed)' : '';

test('The seed is complete before the first magnetic model', async () => {
  const { bySource } = await readSeedAirports(new Date('2024-12-31T00:00:00Z'));
  expect(bySource.reduce((sum, { airports }) => sum + airports.length, 0)).toBeGreaterThan(7_000);
});

describe.skipIf(library === undefined)(`a first start in 2100${note}`, () => {
  test('It is seeded and ready', { timeout: 300_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), `efb-test-${process.pid}-`));
    const service = startService(join(import.meta.dirname, '../../apps/main.ts'), {
      DATA_DIR: join(folder, 'data'),
      SOURCES: 'simulated',
      LD_PRELOAD: library ?? '',
      FAKETIME: '@2100-03-01 12:00:00',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
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
