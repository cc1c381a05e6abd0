import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { askedText, optionProblem } from '#platform/command-line.ts';
import { decodeField } from '#data/grib/decode.ts';
import { readGrib } from '#data/grib/read.ts';
import { GribError } from '#data/grib/error.ts';
import type { GribEntry, GribField } from '#data/grib/message.ts';

const usage = `usage: npm run grib -- FILE [--index 0,40271]
  One JSON line for each field of a GRIB2 file (plain or .gz), with the values at these indexes.
  Exit status: 0 done, 1 a field was refused, 2 usage error or unreadable file.`;

/** A float32 needs nine significant digits; seven are not enough. */
const tidy = (value: number): number | null => (Number.isFinite(value) ? Number(value.toPrecision(9)) : null);

const statistics = (values: Float32Array): { missing: number; min: number; max: number; mean: number } => {
  let missing = 0;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (const value of values) {
    if (Number.isNaN(value)) missing += 1;
    else {
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
  }
  return { missing, min, max, mean: sum / (values.length - missing) };
};

/** One decoded field as printed; `values` are the requested ones, in storage order. */
const describeField = (field: GribField, indexes: readonly number[]): Record<string, unknown> => {
  const values = decodeField(field);
  const { missing, min, max, mean } = statistics(values);
  return {
    message: field.message,
    field: field.field,
    discipline: field.discipline,
    category: field.category,
    number: field.number,
    level: field.level,
    forecastHour: field.forecastHour,
    points: field.points,
    missing,
    min: tidy(min),
    max: tidy(max),
    mean: tidy(mean),
    values: indexes.map((index) => tidy(values[index] ?? Number.NaN)),
  };
};

const errorRecord = ({ message, field }: GribEntry, error: unknown): Record<string, unknown> => {
  if (!(error instanceof GribError)) throw error;
  return { message, field, error: { code: error.code, message: error.message } };
};

/** Prints one JSON line per field of a GRIB2 file (plain or .gz); returns 1 if any field was refused. */
const main = (argv: readonly string[]): number => {
  const asked = askedText(argv, () => usage);
  if (asked !== null) {
    process.stdout.write(`${asked}\n`);
    return 0;
  }
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { index: { type: 'string' } },
    allowPositionals: true,
  });
  const file = positionals[0];
  const indexes = (values.index ?? '').split(',').filter(Boolean).map(Number);
  if (file === undefined || indexes.some((index) => !Number.isSafeInteger(index) || index < 0)) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  const raw = readFileSync(file);
  const bytes = raw[0] === 0x1f && raw[1] === 0x8b ? gunzipSync(raw) : raw;
  let refused = 0;
  for (const entry of readGrib(bytes)) {
    let record: Record<string, unknown>;
    try {
      if (entry.kind === 'fault') throw entry.error;
      record = describeField(entry, indexes);
    } catch (error) {
      refused = 1;
      record = errorRecord(entry, error);
    }
    process.stdout.write(`${JSON.stringify(record)}\n`);
  }
  return refused;
};

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 2);
});

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const problem = optionProblem(error, ['index']) ?? (error instanceof Error ? error.message : String(error));
  process.stderr.write(`${problem}\n${usage}\n`);
  process.exitCode = 2;
}
