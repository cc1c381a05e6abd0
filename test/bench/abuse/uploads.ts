/** Files of 50 MB sent to queries that accept no file, by clients without credentials. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inParallel, keepAlive, outcomes, send } from '#test/support/abuse/clients.ts';
import { probeDuring } from '#test/support/abuse/probe.ts';
import { below, check } from '../support/rows.ts';
import type { Row } from '../support/rows.ts';
import { memoryGrowth, probeText } from './target.ts';
import type { Target } from './target.ts';

const files = 12;
const megabyte = Buffer.alloc(1_048_576, 'x');
const boundary = 'abuse';

const form = function* (query: string): Generator<Buffer | string> {
  yield `--${boundary}\r\nContent-Disposition: form-data; name="query"\r\n\r\n${query}\r\n`;
  yield `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n`;
  for (let i = 0; i < 50; i += 1) yield megabyte;
  yield `\r\n--${boundary}--\r\n`;
};

const bytesIn = async (folder: string): Promise<number> => {
  let total = 0;
  try {
    for (const name of await readdir(folder)) total += (await stat(join(folder, name))).size;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return total;
};

export const uploads = async (target: Target): Promise<Row[]> => {
  const folders = [join(target.dataDir, 'uploads'), target.tempDir];
  let mostOnDisk = 0;
  const watch = setInterval(() => {
    void Promise.all(folders.map(bytesIn)).then((found) => {
      mostOnDisk = Math.max(mostOnDisk, ...found);
    });
  }, 10);
  const agent = keepAlive(files);
  const { result: probed, bytes } = await memoryGrowth(target.child.pid ?? 0, () =>
    probeDuring(target.url, () =>
      inParallel(files, files, (i) =>
        send(`${target.url}/api`, {
          agent,
          headers: {
            'content-type': `multipart/form-data; boundary=${boundary}`,
            'x-forwarded-for': '203.0.113.60',
          },
          body: form(i % 2 === 0 ? 'airportStatus' : 'weather'),
        }),
      ),
    ),
  );
  agent.destroy();
  clearInterval(watch);
  const left = (await Promise.all(folders.map(bytesIn))).reduce((a, b) => a + b, 0);
  const isRefused = probed.result.every(
    ({ status }) => status !== null && [400, 401, 413, 429].includes(status),
  );
  return [
    check('12 anonymous uploads of 50 MB', isRefused, outcomes(probed.result), '400, 401, 413 or 429'),
    check(
      '  on disk',
      left === 0 && mostOnDisk === 0,
      `${mostOnDisk} bytes at most, ${left} left`,
      '0 bytes',
    ),
    below('  memory', bytes, 100_000_000, 'bytes'),
    below('  /healthz p99', probed.p99Ms, 150, 'ms', ` (${probeText(probed)})`),
  ];
};
