import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeMessage } from '#test/support/grib/message.ts';
import { testFolder } from '#test/harness.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'grib.ts');
const field = { values: [1.5, 2.25, null, 4], grid: { ni: 2, nj: 2 }, bitmap: 'own' } as const;
const good = encodeMessage([{ ...field, packing: { template: 0 }, number: 3, hour: 12 }]);
const refused = encodeMessage([{ ...field, packing: { template: 0 }, packingTemplateNumber: 40 }]);

const grib = async (bytes: Buffer, ...args: string[]): Promise<{ lines: unknown[]; status: number }> => {
  const file = join(await testFolder(), 'x.grib2');
  await writeFile(file, bytes);
  const { stdout, status } = await run(process.execPath, [script, file, ...args]).then(
    (done) => ({ stdout: done.stdout, status: 0 }),
    (error: { stdout: string; code: number }) => ({ stdout: error.stdout, status: error.code }),
  );
  const lines = stdout.split('\n').filter((line) => line !== '');
  return { lines: lines.map((line) => JSON.parse(line) as unknown), status };
};

describe('npm run grib', () => {
  test('Each field is one JSON line with values at the requested indexes', async () => {
    expect(await grib(good, '--index', '0,2,3')).toEqual({
      lines: [
        {
          message: 1,
          field: 0,
          discipline: 0,
          category: 2,
          number: 3,
          level: { type: 100, value: 25000 },
          forecastHour: 12,
          points: 4,
          missing: 1,
          min: 1.5,
          max: 4,
          mean: 2.58333333,
          values: [1.5, null, 4],
        },
      ],
      status: 0,
    });
  });

  test('A refused field is a line with the typed error, and the next field is decoded', async () => {
    const { lines, status } = await grib(gzipSync(Buffer.concat([refused, good])));
    expect(status).toBe(1);
    expect(lines).toMatchObject([
      {
        message: 1,
        error: { code: 'UNSUPPORTED_PACKING', message: 'packing template 5.40 is not supported' },
      },
      { message: 2, points: 4, values: [] },
    ]);
  });

  test('Other files and wrong arguments are refused', async () => {
    expect(await grib(Buffer.from('hello'))).toMatchObject({
      status: 1,
      lines: [{ error: { code: 'NOT_GRIB' } }],
    });
    expect(await grib(good, '--index', 'x')).toEqual({ lines: [], status: 2 });
  });
});
