import { SourceError } from '../source-error.ts';
import type { FieldModel } from './coefficients.ts';

type Row = [number, number, number, number, number, number];

const validYears = 5;
const degree = 12;

/** Parses a `.COF` file as published by NOAA, so that the next model is one file for the feed. Throws SourceError. */
export const parseCof = (text: string): FieldModel => {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^9{10,}$/.test(line));
  const header = /^(\d{4}(?:\.\d+)?)\s+(\S+)/.exec(lines[0] ?? '');
  if (!header) throw new SourceError('CORRUPT', 'The file does not start with an epoch and a model name.');
  const rows = lines.slice(1).map((line): Row => {
    // Adding 0 turns the file's -0.0 into 0.
    const numbers = line.split(/\s+/).map((part) => Number(part) + 0);
    const [n, m, g, h, dg, dh] = numbers;
    if (
      n === undefined ||
      m === undefined ||
      g === undefined ||
      h === undefined ||
      dg === undefined ||
      dh === undefined ||
      !numbers.every(Number.isFinite)
    ) {
      throw new SourceError('CORRUPT', `Not a line of coefficients: ${line.slice(0, 60)}`);
    }
    return [n, m, g, h, dg, dh];
  });
  const expected = (degree * (degree + 3)) / 2;
  if (rows.length !== expected) {
    throw new SourceError(
      'CORRUPT',
      `The model has ${rows.length} coefficient lines instead of ${expected}.`,
    );
  }
  const epoch = Number(header[1]);
  return { name: (header[2] ?? '').replace('-', ''), epoch, validUntil: epoch + validYears, rows };
};
