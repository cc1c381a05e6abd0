/** Members of a plan: each is declared once, with its schema and the names under which planners write it. */
import { z } from 'zod';
import type { Cursor, Range } from './cursor.ts';

interface Member<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  read: (from: Cursor) => z.output<Schema>;
}

/** Generous ranges for values in a plan; anything outside is an error in the document. */
export const ranges = {
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  altitudeFt: { min: -2_000, max: 100_000 },
  degrees: { min: 0, max: 360 },
  windKt: { min: 0, max: 400 },
  componentKt: { min: -400, max: 400 },
  speedKt: { min: 0, max: 2_000 },
  mach: { min: 0, max: 4 },
  temperatureC: { min: -130, max: 70 },
  deviationC: { min: -80, max: 80 },
  /** 10 days. */
  seconds: { min: 0, max: 864_000 },
  minutes: { min: 0, max: 1_440 },
  secondsChange: { min: -864_000, max: 864_000 },
  distanceNm: { min: 0, max: 30_000 },
  lengthFt: { min: 0, max: 60_000 },
  /** Kilograms or pounds. */
  weight: { min: 0, max: 3_000_000 },
  weightChange: { min: -3_000_000, max: 3_000_000 },
  people: { min: 0, max: 2_000 },
  costIndex: { min: 0, max: 9_999 },
  inHg: { min: 25, max: 33 },
} as const satisfies Record<string, Range>;

export const textSchema = z.string().nullable();
export const numberSchema = z.number().nullable();
export const integerSchema = z.int().nullable();

export const member = <Schema extends z.ZodType>(
  schema: Schema,
  read: Member<Schema>['read'],
): Member<Schema> => ({ schema, read });

export const text = (max: number, ...names: string[]) =>
  member(textSchema, (from) => from.text(max, ...names));
/** Codes are in capitals. */
export const code = (max: number, ...names: string[]) =>
  member(textSchema, (from) => from.text(max, ...names)?.toUpperCase() ?? null);
export const texts = (max: number, name: string) =>
  member(z.array(z.string()), (from) => from.texts(max, name).slice(0, 50));
export const number = (range: Range, ...names: string[]) =>
  member(numberSchema, (from) => from.number(range, ...names));
export const integer = (range: Range, ...names: string[]) =>
  member(integerSchema, (from) => from.integer(range, ...names));
export const seconds = (range: Range, ...names: string[]) =>
  member(integerSchema, (from) => from.seconds(range, ...names));
/** ISO 8601 with Z. */
export const time = (...names: string[]) => member(textSchema, (from) => from.time(...names));
export const flag = (...names: string[]) => member(z.boolean(), (from) => from.flag(...names));

/** A member that the reader of its block computes from others; `until` is its value until then. */
export const derived = <Schema extends z.ZodType>(schema: Schema, until: z.output<Schema>) =>
  member(schema, () => until);

export const described = <Schema extends z.ZodType>(
  { schema, read }: Member<Schema>,
  description: string,
): Member<Schema> => member(schema.describe(description), read);

/** Plans that were imported before the service read this member do not have it. */
export const added = <Schema extends z.ZodType>(
  { schema, read }: Member<Schema>,
  description = '',
): Member<z.ZodOptional<Schema>> => ({
  schema: schema.optional().describe(`${description}absent in older imports`),
  read,
});

type Members = Readonly<Record<string, Member>>;

export const block = <Of extends Members>(members: Of) => {
  const all = Object.entries(members);
  const shape = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]));
  const blockSchema = z.strictObject(shape as { [Name in keyof Of]: Of[Name]['schema'] });
  return member(
    blockSchema,
    (from) =>
      Object.fromEntries(all.map(([name, { read }]) => [name, read(from)])) as z.output<typeof blockSchema>,
  );
};

/** Null if the document has no such block. */
export const orNull = <Schema extends z.ZodType>({ schema, read }: Member<Schema>) =>
  member(schema.nullable(), (from) => (from.isEmpty ? null : read(from)));

/** A member stored in a separate block of the document. */
export const within = <Schema extends z.ZodType>(name: string, { schema, read }: Member<Schema>) =>
  member(schema, (from) => read(from.at(name)));

export const list = <Schema extends z.ZodType>(
  max: number,
  entriesOf: (from: Cursor) => Cursor[],
  { schema, read }: Member<Schema>,
) => member(z.array(schema), (from) => entriesOf(from).slice(0, max).map(read));
