import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { encodeMessage } from '#test/support/grib/message.ts';
import type { TestPacking } from '#test/support/grib/message.ts';
import { decodeField, gribFields } from '#data/grib/grib.ts';

const execute = promisify(execFile);
const runs = 30;
/** Points per second that the decoder must reach when warm. */
const targetPointsPerS = 200e6;

const median = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

interface Speed {
  points: number;
  coldMs: number;
  warmMs: number;
}

const decodeAll = (bytes: Uint8Array, out: Float32Array): number => {
  let points = 0;
  for (const field of gribFields(bytes)) {
    decodeField(field, out);
    points += field.points;
  }
  return points;
};

const measure = (bytes: Uint8Array): Speed => {
  const out = new Float32Array(1440 * 721);
  const times: number[] = [];
  let points = 0;
  for (let round = 0; round <= runs; round++) {
    const start = performance.now();
    points = decodeAll(bytes, out);
    times.push(performance.now() - start);
  }
  const [coldMs = Number.NaN, ...warm] = times;
  return { points, coldMs, warmMs: median(warm) };
};

/** A smooth one-degree field, packed by the test encoder, for machines without the sample files. */
const ownSample = (packing: TestPacking): Buffer => {
  const values = Array.from({ length: 360 * 181 }, (_, k) => {
    const [i, j] = [k % 360, Math.floor(k / 360)];
    return 30 * Math.sin(j / 20) + 8 * Math.sin(i / 15 + j / 9) + ((i * 7 + j * 13) % 11) / 20;
  });
  return encodeMessage([{ values, grid: { ni: 360, nj: 181 }, packing }]);
};

const wallMs = async (command: string, args: readonly string[]): Promise<number> => {
  const times: number[] = [];
  for (let round = 0; round < 7; round++) {
    const start = performance.now();
    await execute(command, [...args], { maxBuffer: 512 * 1024 * 1024 });
    times.push(performance.now() - start);
  }
  return median(times);
};

/**
 * ecCodes on the same file: `grib_get -p max` unpacks every value and prints one number per field, so its time
 * less that of a header-only `grib_get` is the unpacking alone, without the process start.
 */
const againstEcCodes = async (file: string, ours: Speed): Promise<void> => {
  try {
    await execute('grib_get', ['-V']);
  } catch (error) {
    console.log(
      `  ecCodes: not installed (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    );
    return;
  }
  const headers = await wallMs('grib_get', ['-p', 'shortName', file]);
  const values = await wallMs('grib_get', ['-p', 'max', file]);
  const text = await wallMs('grib_get_data', [file]);
  const unpack = values - headers;
  console.log(
    `  ecCodes: unpacking ${unpack.toFixed(1)} ms, ratio ${(unpack / ours.warmMs).toFixed(2)}; ` +
      `grib_get process ${values.toFixed(0)} ms, ratio ${(values / ours.coldMs).toFixed(2)} to our first run; ` +
      `grib_get_data ${text.toFixed(0)} ms, ratio ${(text / ours.coldMs).toFixed(0)}`,
  );
};

/** Copies of a file for the comparison below: enough that the start of a process is a small part of it. */
const copies = 30;

/** ecCodes on a file of one or two fields; `max` adds a pass over the values that ours does not make. */
const smallAgainstEcCodes = async (bytes: Uint8Array, ours: Speed): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-grib-'));
  const file = join(folder, 'copies.grib2');
  writeFileSync(file, Buffer.concat(Array.from({ length: copies }, () => bytes)));
  try {
    const headers = await wallMs('grib_get', ['-p', 'shortName', file]);
    const values = await wallMs('grib_get', ['-p', 'max', file]);
    const unpack = (values - headers) / copies;
    console.log(`    ecCodes: unpacking ${unpack.toFixed(2)} ms, ratio ${(unpack / ours.warmMs).toFixed(2)}`);
  } catch (error) {
    console.log(`    ecCodes: not installed (${error instanceof Error ? error.message.split('\n')[0] : ''})`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** The longest that one field of section 7 may hold the thread: all of it zero bits, the slowest to read. */
const worstHold = (): void => {
  const bytes = encodeMessage([
    {
      values: Array.from({ length: 64 }, (_, k) => k * 2 ** 20),
      grid: { ni: 8, nj: 8 },
      packing: { template: 42, ccsds: { bits: 32, choose: () => 'uncompressed' } },
    },
  ]);
  const [field] = [...gribFields(bytes)];
  if (!field) return;
  const zeros = new Uint8Array(64_000_000);
  zeros[0] = 0x08;
  const start = performance.now();
  try {
    decodeField({ ...field, bytes: zeros, dataStart: 0, dataEnd: zeros.length - 4 });
    console.log('  5.42, 64 MB of zero bits: decoded');
  } catch (error) {
    const ms = performance.now() - start;
    console.log(
      `  5.42, 64 MB of zero bits: refused after ${ms.toFixed(0)} ms (limit 100): ${error instanceof Error ? error.message : ''}`,
    );
  }
};

const print = (name: string, speed: Speed): void => {
  const warm = speed.points / speed.warmMs / 1e3;
  const cold = speed.points / speed.coldMs / 1e3;
  console.log(
    `  ${name}: ${speed.points} points, median ${speed.warmMs.toFixed(2)} ms, ` +
      `${warm.toFixed(0)} Mpoints/s warm (target ${targetPointsPerS / 1e6}, ratio ${((warm * 1e6) / targetPointsPerS).toFixed(2)}), ` +
      `${cold.toFixed(0)} in the first run`,
  );
};

const ccsds = async (name: string, bytes: Uint8Array): Promise<void> => {
  const speed = measure(bytes);
  print(name, speed);
  await smallAgainstEcCodes(bytes, speed);
};

/** GRIB2 decoder: points per second by packing, and the ratio to ecCodes where it is installed. */
export const run = async (): Promise<void> => {
  console.log('grib: GRIB2 decoder');
  const root = join(process.env.SHARED_DATA ?? '../shared/data', 'grib');
  const main = join(root, 'constructed/gfslike-1p00-2017032200-f006.grib2');
  if (existsSync(main)) {
    const speed = measure(readFileSync(main));
    print('63 fields of 1 degree, 5.3 order 2', speed);
    await againstEcCodes(main, speed);
    for (const [name, file] of [
      ['5.0', 'real/gfs-1p00-2019010612-f006-uv10m.drt5_0.grib2'],
      ['5.2', 'real/gfs-1p00-2019010612-f006-uv10m.drt5_2.grib2'],
      ['0.25 degree, 5.3 order 2', 'real/gdas-0p25-2021111600-f000-t2m.grib2'],
      ['0.25 degree, 5.3 with missing values', 'real/gfs-0p25-2026060512-f023-tmp-pv-missing.grib2'],
      ['352 fields of 2.5 degrees', 'real/gfs-2p50-2017032200-f000.grib2'],
    ] as const)
      print(name, measure(readFileSync(join(root, file))));
    await ccsds(
      '0.25 degree, 5.42',
      readFileSync(join(root, 'real/aifs-0p25-2026031012-f000-t500.ccsds.grib2')),
    );
    worstHold();
    return;
  }
  print('5.3 order 2, own sample', measure(ownSample({ template: 3, order: 2, groupLength: 32 })));
  print('5.2, own sample', measure(ownSample({ template: 2, groupLength: 32 })));
  print('5.0, own sample', measure(ownSample({ template: 0 })));
  await ccsds('5.42, own sample', ownSample({ template: 42 }));
  worstHold();
};
