import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { feedStatusWrites } from '#store/postgres/feeds/status.ts';
import { testContext, testFolder } from '#test/harness.ts';
import metar from './feeds/metar.ts';

const script = resolve(import.meta.dirname, 'ingest.ts');
const ingest = (args: string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });

const names =
  'airports, datis, magvar, map, metar, navdata, notam, obstacles, osm, pirep, sigmet, taf, timezones, winds';

describe('npm run ingest', () => {
  test.each(['--help', '-h'])(
    '%s prints the usage and exits with 0',
    (flag) => {
      const { status, stdout, stderr } = ingest([flag]);
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(/^usage: npm run ingest -- <feed> \[--file PATH/);
      expect(stdout).toContain(`Feeds: ${names}.`);
    },
    30_000,
  );

  test.each([
    [['metars'], `There is no feed "metars". Did you mean "metar"? Feeds: ${names}.\n`],
    [['metar', 'taf'], 'One feed at a time: what is "taf"?\n'],
    [['metar', '--fiel', 'x'], "Unknown option '--fiel'"],
  ])(
    'An invalid call %j names the problem and exits with 2',
    (args, message) => {
      const { status, stdout, stderr } = ingest(args);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr.startsWith(message) ? message : stderr).toBe(message);
    },
    30_000,
  );

  test('A folder for a single-file feed is reported as such', async () => {
    const t = await testContext();
    try {
      const env = {
        // vitest sets it for web tests.
        BASE_URL: '',
        DATABASE_URL: t.databaseUrl,
        DATA_DIR: await testFolder(),
        JWT_SECRET: t.config.JWT_SECRET.join(','),
        SAFETY_CODE: t.config.SAFETY_CODE.join(','),
      };
      const { status, stderr } = ingest(['metar', '--file', tmpdir()], env);
      expect(stderr).toContain(`metar: ${tmpdir()} is a folder; one file (plain or .gz) is expected.\n`);
      expect(status).toBe(1);
    } finally {
      await t.close();
    }
  }, 30_000);

  test('Next to a service with simulated sources it says that it reads the real ones', async () => {
    const t = await testContext();
    try {
      await t.postgres.transaction((tx) => feedStatusWrites(tx).declare([{ ...metar, isSimulated: true }]));
      const env = {
        BASE_URL: '',
        DATABASE_URL: t.databaseUrl,
        DATA_DIR: await testFolder(),
        JWT_SECRET: t.config.JWT_SECRET.join(','),
        SAFETY_CODE: t.config.SAFETY_CODE.join(','),
        METAR_URL: 'file:///nowhere/metars.xml',
        METAR_FALLBACK_URL: 'file:///nowhere/{HH}Z.TXT',
      };
      const { status, stderr } = ingest(['metar'], env);
      expect(stderr).toMatch(
        /^The service on this database has simulated sources; this run reads the real ones/m,
      );
      expect(status).toBe(1);
      expect(ingest(['metar', '--file', '/nowhere'], env).stderr).not.toContain('simulated sources');
    } finally {
      await t.close();
    }
  }, 60_000);
});
