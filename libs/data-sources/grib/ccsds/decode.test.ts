import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { encodeCcsds } from '#simulated/grib/pack-ccsds.ts';
import type { CcsdsParameters } from '#simulated/grib/pack-ccsds.ts';
import type { BlockOption } from '#simulated/grib/ccsds-options.ts';
import { decodeCcsds } from './decode.ts';

const run = promisify(execFile);

/** Repeatable numbers from 0 to 1. */
const noise = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

/** Samples of `bits` bits in which every option is the shortest somewhere: flat, nearly flat, smooth, wild. */
const samplesOf = (bits: number, count: number, seed: number): number[] => {
  const random = noise(seed);
  const top = 2 ** bits - 1;
  let level = Math.floor(random() * top);
  return Array.from({ length: count }, (_, i) => {
    const part = Math.floor(i / 150) % 6;
    if (part === 1 && random() < 0.2) level += random() < 0.5 ? 1 : -1;
    if (part === 2 || part === 3) level += Math.round((random() - 0.5) * 2 ** (part * 2));
    if (part === 4) level = Math.floor(random() * (top + 1));
    if (part === 5) level = random() < 0.3 ? 0 : Math.min(top, 3);
    level = Math.max(0, Math.min(top, level));
    return level;
  });
};

const decode = (bytes: Uint8Array, count: number, parameters: CcsdsParameters): number[] => {
  // Samples of 32 bits need more than float32 to be compared exactly.
  const out = new Float64Array(count);
  const { bits, blockSize, interval, signed = false, predicted = true } = parameters;
  const { restricted = false, padded = false } = parameters;
  const flags = { signed, predicted, restricted, padded };
  const message = Buffer.concat([bytes, Buffer.from('7777')]);
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  decodeCcsds(
    { view, start: 0, end: bytes.length },
    { template: 42, base: 0, step: 1, bits, blockSize, interval, ...flags },
    count,
    out as unknown as Float32Array,
  );
  return [...out];
};

/** Every option in turn that does not make a block more than `longer` times as long as uncompressed. */
const inTurn =
  (longer: number) =>
  (options: ReadonlyMap<BlockOption, number>, block: number): BlockOption => {
    const most = longer * (options.get('uncompressed') ?? 0);
    const possible = [...options].filter(([, length]) => length <= most);
    return possible[block % possible.length]?.[0] ?? 'uncompressed';
  };

const widths = [1, 2, 3, 4, 5, 8, 9, 12, 16, 17, 24, 25, 26, 30, 31, 32];
const count = 1_999;

const variants: readonly [string, Partial<CcsdsParameters>][] = [
  ['blocks of 8', { blockSize: 8, interval: 128 }],
  ['blocks of 16', { blockSize: 16, interval: 100 }],
  ['blocks of 32', { blockSize: 32, interval: 128 }],
  ['blocks of 64', { blockSize: 64, interval: 7 }],
  ['a reference for every block', { blockSize: 16, interval: 1 }],
  ['padded intervals', { blockSize: 8, interval: 9, padded: true }],
  ['signed samples', { blockSize: 16, interval: 20, signed: true }],
  ['signed samples without the predictor', { blockSize: 16, interval: 20, signed: true, predicted: false }],
  ['no predictor', { blockSize: 32, interval: 4, predicted: false }],
  ['the restricted options', { blockSize: 8, interval: 64, restricted: true }],
];

describe('lossless coding after CCSDS 121.0-B', () => {
  for (const choose of [undefined, inTurn(100)])
    test.each(variants)(
      `%s: every sample is restored, ${choose ? 'every option in turn' : 'shortest options'}`,
      (_, variant) => {
        for (const bits of widths) {
          const parameters = { bits, blockSize: 8, interval: 8, ...variant, ...(choose ? { choose } : {}) };
          const shift = parameters.signed === true ? 2 ** (bits - 1) : 0;
          const samples = samplesOf(bits, count, bits).map((sample) => sample - shift);
          expect(decode(encodeCcsds(samples, parameters), count, parameters), `${bits} bits`).toEqual(
            samples,
          );
        }
      },
    );

  test('The samples make every option the shortest somewhere', () => {
    const seen = new Set<BlockOption>();
    const choose = (options: ReadonlyMap<BlockOption, number>): BlockOption => {
      const best = [...options].reduce((a, b) => (b[1] < a[1] ? b : a))[0];
      seen.add(best);
      return best;
    };
    encodeCcsds(samplesOf(12, 20_000, 3), { bits: 12, blockSize: 8, interval: 64, choose });
    for (const option of ['zero', 'extension', 'uncompressed', 0, 1, 2, 3] as const)
      expect(seen.has(option), String(option)).toBe(true);
  });

  test.each([1, 2, 3, 4, 5, 6, 30, 63, 64, 65, 127, 128, 129, 200])(
    'A run of %i zero blocks, at the start, in the middle and to the end of an interval',
    (blocks) => {
      const parameters = { bits: 10, blockSize: 8, interval: 256 };
      for (const before of [0, 1, 60, 64, 128, 250]) {
        const samples = [
          ...Array.from({ length: before * 8 }, (_, i) => (i * 37) % 1000),
          ...Array.from({ length: blocks * 8 }, () => 5),
          ...Array.from({ length: 11 }, (_, i) => 700 + i * 9),
        ];
        for (const end of [samples.length, samples.length - 11, samples.length - 14])
          expect(
            decode(encodeCcsds(samples.slice(0, end), parameters), end, parameters),
            `${before} before`,
          ).toEqual(samples.slice(0, end));
      }
    },
  );

  test('A stream cut at any octet, and one with any bit flipped, ends in samples or a typed error', () => {
    const parameters = { bits: 12, blockSize: 16, interval: 16, choose: inTurn(100) };
    const samples = samplesOf(12, 900, 4);
    const bytes = encodeCcsds(samples, parameters);
    const outcomeOf = (damaged: Uint8Array): unknown => {
      try {
        return decode(damaged, samples.length, parameters).length;
      } catch (error) {
        return error;
      }
    };
    const cut = Array.from(bytes.keys(), (length) => outcomeOf(bytes.subarray(0, length)));
    const flipped = Array.from({ length: bytes.length * 8 }, (_, bit) => {
      const damaged = Buffer.from(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      return outcomeOf(damaged);
    });
    const errors = [...cut, ...flipped].filter((outcome) => outcome !== samples.length);
    expect(errors.length).toBeGreaterThan(bytes.length);
    for (const error of errors)
      expect(error).toMatchObject({ name: 'GribError', code: 'BAD_DATA', section: 7, template: 42 });
    expect(cut).not.toContain(samples.length);
  });
});

const hasReference = await run('aec', ['-h']).then(
  () => true,
  (error: unknown) => (error as NodeJS.ErrnoException).code !== 'ENOENT',
);

/** Samples as the reference implementation's tool reads them: 1, 2 or 4 octets, most significant first. */
const octetsOf = (bits: number): 1 | 2 | 4 => (bits <= 8 ? 1 : bits <= 16 ? 2 : 4);

/** The tool takes signed samples as two's complement of `bits` bits. */
const unsigned = (sample: number, bits: number): number => (sample < 0 ? sample + 2 ** bits : sample);

const toFile = (samples: readonly number[], bits: number): Buffer => {
  const size = octetsOf(bits);
  const bytes = Buffer.alloc(samples.length * size);
  samples.forEach((sample, i) => bytes.writeUIntBE(unsigned(sample, bits), i * size, size));
  return bytes;
};

/** The tool returns them extended to whole octets. */
const fromFile = (bytes: Buffer, bits: number): number[] => {
  const size = octetsOf(bits);
  return Array.from({ length: count }, (_, i) => bytes.readUIntBE(i * size, size) % 2 ** bits);
};

describe.skipIf(!hasReference)('the reference implementation (libaec, where its tool is installed)', () => {
  test.each(variants)('%s: it reads what we write, and we read what it writes', async (_, variant) => {
    const folder = await mkdtemp(join(tmpdir(), 'ccsds-'));
    const [raw, coded] = [join(folder, 'raw'), join(folder, 'coded')];
    for (const bits of [1, 3, 8, 9, 16, 17, 25, 32]) {
      const parameters = { bits, blockSize: 8, interval: 8, ...variant };
      const { blockSize, interval, signed = false, predicted = true } = parameters;
      const { restricted = false, padded = false } = parameters;
      // The tool refuses the restricted options for wider samples of up to one octet.
      if (restricted && bits > 4) continue;
      const options = ['-m', '-n', String(bits), '-j', String(blockSize), '-r', String(interval)];
      if (signed) options.push('-s');
      if (!predicted) options.push('-N');
      if (restricted) options.push('-t');
      if (padded) options.push('-p');
      const shift = signed ? 2 ** (bits - 1) : 0;
      const samples = samplesOf(bits, count, bits).map((sample) => sample - shift);
      await writeFile(raw, toFile(samples, bits));
      await run('aec', [...options, raw, coded]);
      // As it is packaged, the tool reads padded intervals but does not write them.
      const theirs = padded ? encodeCcsds(samples, parameters) : await readFile(coded);
      expect(decode(theirs, count, parameters), `${bits} bits`).toEqual(samples);
      // It relies on no block being longer than uncompressed.
      await writeFile(coded, encodeCcsds(samples, { ...parameters, choose: inTurn(1) }));
      await run('aec', ['-d', ...options, coded, raw]);
      expect(fromFile(await readFile(raw), bits), `${bits} bits`).toEqual(
        samples.map((sample) => unsigned(sample, bits)),
      );
    }
    await rm(folder, { recursive: true });
  });
});
