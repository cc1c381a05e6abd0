import { z } from 'zod';

/** Whether an object anywhere in the data has a member `length` that is an object. */
const hasObjectAsLength = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false;
  if ('length' in value && typeof value.length === 'object' && value.length !== null) return true;
  return Object.values(value).some(hasObjectAsLength);
};

/**
 * `safeParse` for data from outside. Zod compares the `length` of anything with its bounds, which throws for an object that
 * has a member `toString`; such data are not accepted.
 */
export const safeParse = (schema: z.ZodType, data: unknown): z.ZodSafeParseResult<unknown> => {
  try {
    return schema.safeParse(data);
  } catch (error) {
    if (!(error instanceof TypeError) || !hasObjectAsLength(data)) throw error;
    const message = 'a member "length" must not be an object';
    return { success: false, error: new z.ZodError([{ code: 'custom', path: [], message, input: data }]) };
  }
};
