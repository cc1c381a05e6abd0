import { z } from 'zod';
import { wantedLevelsHpa } from './fields.ts';
import type { WindFieldIndex } from './fields.ts';

/** One field of ECMWF's inventory: JSON lines of MARS keywords, with the position of the message in the file. */
export interface IndexField {
  index: WindFieldIndex;
  levelHpa: number;
  cycleMs: number;
  hour: number;
  offset: number;
  /** First octet after the message. */
  end: number;
}

/** A file of the forecast has about 250 fields. */
const maxLines = 5_000;
const maxLineLength = 1_000;
const indexes: Readonly<Record<string, WindFieldIndex>> = { u: 0, v: 1, t: 2 };

const wordSchema = z.union([z.string(), z.number()]).transform(String);
/** The keywords that matter; `number` is the member of an ensemble. Others (domain, expver, …) may come and go. */
const lineSchema = z.object({
  type: z.literal('fc'),
  levtype: z.literal('pl'),
  param: z.enum(['u', 'v', 't']),
  number: z.undefined().optional(),
  date: wordSchema.pipe(z.string().regex(/^\d{8}$/)),
  time: wordSchema.pipe(z.string().regex(/^\d{1,4}$/)),
  step: wordSchema.pipe(z.string().regex(/^\d{1,3}$/)),
  levelist: wordSchema.pipe(z.string().regex(/^\d{1,4}$/)),
  _offset: z.int().min(0),
  _length: z
    .int()
    .min(1)
    .max(2 ** 32),
});

const fieldOf = ({ param, ...line }: z.output<typeof lineSchema>): IndexField => {
  const part = (from: number, to: number): number => Number(line.date.slice(from, to));
  return {
    index: indexes[param] ?? 0,
    levelHpa: Number(line.levelist),
    cycleMs: Date.UTC(part(0, 4), part(4, 6) - 1, part(6, 8), Number(line.time.padStart(4, '0').slice(0, 2))),
    hour: Number(line.step),
    offset: line._offset,
    end: line._offset + line._length,
  };
};

/** A line as JSON; undefined when it is none or too long to be one of an inventory. */
const jsonOf = (line: string): unknown => {
  if (line.length > maxLineLength || !line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as unknown;
  } catch {
    // A line that was cut off is skipped like any other that is not of the inventory.
    return undefined;
  }
};

const hasPosition = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_offset' in value && '_length' in value;

/**
 * The winds and temperatures on wanted levels in an inventory; null when no line is of an inventory (a web page,
 * an empty file). Lines of any other form are skipped.
 */
export const parseIndexLines = (text: string): IndexField[] | null => {
  const fields: IndexField[] = [];
  let isInventory = false;
  for (const line of text.split('\n', maxLines)) {
    const value = jsonOf(line.trim());
    if (!hasPosition(value)) continue;
    isInventory = true;
    const parsed = lineSchema.safeParse(value);
    if (!parsed.success) continue;
    const field = fieldOf(parsed.data);
    if (wantedLevelsHpa.includes(field.levelHpa)) fields.push(field);
  }
  return isInventory ? fields : null;
};
