import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { deepNote, isDeep } from '../support/deep.ts';
import { nowhere } from './nowhere.ts';

const script = join(import.meta.dirname, '../../tools/demo/main.ts');

describe('npm run demo on its own', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'efb-demo-'));
  await chmod(dataDir, 0o755);
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test('All steps pass, and only the drawings and the briefing are left behind', async () => {
    const { DATABASE_URL: _, BASE_URL: __, ...inherited } = process.env;
    const { AIRPORTS_URL = '', OVERPASS_URL = '', OBSTACLES_URL = '', WINDS_URLS = '' } = await nowhere();
    // A port without a listener: the demo must not find a service on this machine. To import airports again, to draw
    // their maps and to read winds would take longer than the flight, which needs none of them.
    const sources = { AIRPORTS_URL, OVERPASS_URL, OBSTACLES_URL, WINDS_URLS };
    const env = { ...inherited, DATA_DIR: dataDir, PORT: '1', ...sources };
    const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
    expect(stdout).toContain('All steps passed.');
    const drawings = ['demo/landing.svg', 'demo/takeoff.svg'];
    const kept = await readdir(dataDir, { recursive: true });
    expect(kept.toSorted()).toEqual(['demo', 'demo/briefing.pdf', ...drawings]);
    for (const name of drawings) {
      expect(stdout).toContain(`kept as ${join(dataDir, name)}`);
      expect(await readFile(join(dataDir, name), 'utf8')).toMatch(/^(<\?xml.*\?>\s*)?<svg /);
    }
  }, 120_000);

  test.skipIf(!isDeep)(
    `A subscription is demonstrated from purchase to end at each gateway${deepNote}`,
    async () => {
      const { DATABASE_URL: _, BASE_URL: __, ...inherited } = process.env;
      const env = { ...inherited, DATA_DIR: dataDir, PORT: '1' };
      const { stdout } = await promisify(execFile)(process.execPath, [script, 'subscriptions'], { env });
      for (const words of [
        'card was declined',
        'gateway refuses',
        'Upgrade.',
        'gives 2.00 EUR back',
        'Downgrade.',
      ])
        expect(stdout).toContain(words);
      expect(stdout).toMatch(/400 days pass at the gateway\.\n +charged: nothing/);
      expect(stdout).toContain('Every step passed.');
    },
  );
});
