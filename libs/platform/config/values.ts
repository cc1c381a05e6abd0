import { z } from 'zod';

/** Values separated by commas, the one in use first, each of at least `minLength` characters. */
export const valuesField = (minLength: number, what = 'key') =>
  z
    .string()
    .transform((text) => text.split(',').map((value) => value.trim()))
    .refine(
      (values) => values.every((value) => value.length >= minLength),
      `every ${what} must have at least ${minLength} characters`,
    );
