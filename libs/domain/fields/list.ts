/** Lists sent by clients, and paging of requested lists. */
import { z } from 'zod';
import { codesOf, missingOrInvalid } from './codes.ts';
import type { FieldCodes } from './codes.ts';

interface ListCodes extends FieldCodes {
  /** More than `max` entries. Default: `invalid`. */
  tooMany?: string;
}

/** JSON Schema of what clients send. */
export const inputSchemaOf = (schema: z.ZodType): Record<string, unknown> => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
};

/** A required list of `min` to `max` entries, which are only validated if their number is valid. */
export const listField = <T extends z.ZodType>(
  item: T,
  { min = 0, max }: { min?: number; max: number },
  codes: ListCodes = {},
): z.ZodType<z.output<T>[], z.input<T>[]> => {
  const { invalid } = codesOf(codes);
  return z
    .array(z.unknown(), { error: missingOrInvalid(codes) })
    .min(min, invalid)
    .max(max, codes.tooMany ?? invalid)
    .pipe(z.array(item))
    .meta({ items: inputSchemaOf(item) }) as unknown as z.ZodType<z.output<T>[], z.input<T>[]>;
};

const clamped = <Preset>(given: unknown, preset: Preset, min: number, max: number): number | Preset => {
  if (given === undefined || given === null || given === '') return preset;
  const value = typeof given === 'string' ? Number(given) : given;
  if (typeof value !== 'number' || Number.isNaN(value)) return preset;
  return Math.min(max, Math.max(min, Math.trunc(value)));
};

interface PageSize<Preset extends number | null> {
  /** Default for `limit`; null: all. */
  preset: Preset;
  max: number;
}

/** Number of entries to return: clamped to 1..`max`, never refused. */
export const limitField = <Preset extends number | null>({ preset, max }: PageSize<Preset>) =>
  z
    .unknown()
    .optional()
    .transform((given) => clamped(given, preset, 1, max))
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: max,
      description: `entries per answer; default ${preset ?? 'all'}`,
    });

/** `limit` and `offset`, to be spread into an input; both are clamped. */
export const pageFields = <Preset extends number | null>(size: PageSize<Preset>) => ({
  limit: limitField(size),
  offset: z
    .unknown()
    .optional()
    .transform((given) => clamped(given, 0, 0, 1_000_000))
    .meta({ type: 'integer', minimum: 0, maximum: 1_000_000, description: 'entries to skip; default 0' }),
});

/** Which lists of an answer to fill. */
export const scopeField = () =>
  z.enum(['all', 'own'], 'INVALID_FIELD').default('all').meta({
    description: "`own`: only the user's and those of their virtual airlines; the other lists are empty",
  });
