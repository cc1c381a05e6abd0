/** Files that were lost or damaged. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startService } from '#test/support/process.ts';
import { check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { inflight } from '../api.ts';
import type { FaultService } from './service.ts';

const main = resolve(import.meta.dirname, '../../../apps/main.cjs');

/** A service whose secrets file is truncated. */
const damagedSecrets = async (): Promise<Row> => {
  const folder = await mkdtemp(join(tmpdir(), 'efb-faults-'));
  await writeFile(join(folder, 'secrets.json'), '{"JWT_SECRET": "abc');
  const started = startService(main, { DATA_DIR: folder });
  const code = await started.exit;
  await rm(folder, { recursive: true, force: true });
  const line = started.output().trim().replaceAll(/\s+/g, ' ').replaceAll(folder, 'DATA_DIR');
  return check(
    'files: damaged secrets.json',
    code === 1 && line.includes('secrets.json') && !line.includes('JSON input'),
    `exit ${code}: ${line.slice(0, 160)}`,
    'exit 1, a sentence',
  );
};

/** A picture whose file is gone is drawn again. */
const lostPicture = async ({ url, tokens, folder }: FaultService): Promise<Row> => {
  const response = await fetch(`${url}/api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[0]}` },
    body: JSON.stringify(inflight),
  });
  const answer = (await response.json()) as {
    performance: { graphic: { factored: { png: string } } };
  };
  const png = answer.performance.graphic.factored.png.replace(/^https?:\/\/[^/]+/, url);
  const first = await fetch(png);
  const before = (await first.arrayBuffer()).byteLength;
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.png'));
  await Promise.all(files.map((name) => rm(join(folder, name))));
  const second = await fetch(png);
  const after = (await second.arrayBuffer()).byteLength;
  return check(
    'files: a picture whose file is gone',
    first.status === 200 && files.length > 0 && second.status === 200 && before === after,
    `${first.status}, then ${second.status} after ${files.length} file was removed; ${before} and ${after} bytes`,
    'drawn again, the same',
  );
};

export const files = async (service: FaultService): Promise<Row[]> => [
  await damagedSecrets(),
  await lostPicture(service),
];
