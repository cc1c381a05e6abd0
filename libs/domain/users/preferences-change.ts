/** Partial changes to user preferences (M-4.6.q5): accepted input, and merging. */
import { z } from 'zod';
import { userPreferencesSchema } from './preferences.ts';
import { isRecord } from '../record.ts';

/** Makes all fields optional; unknown keys are dropped. */
const partOf = ({ shape }: z.ZodObject): z.ZodObject =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([name, field]) => [
        name,
        z.optional(field instanceof z.ZodObject ? partOf(field) : field),
      ]),
    ),
  );

/** `settingsLocked` can only be set by the operator, so it counts as unknown here (M-4.6.q5f). */
export const preferencesChangeSchema = partOf(userPreferencesSchema.omit({ settingsLocked: true }));

type Tree = Readonly<Record<string, unknown>>;
/** Dotted names of the changed values, in the order sent. */
export const changedFields = (change: Tree, prefix = ''): string[] =>
  Object.entries(change).flatMap(([name, value]) =>
    isRecord(value) ? changedFields(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  );

/** Merges a change into the stored preferences, keeping all other fields, including those of older versions. */
export const mergePreferences = (stored: Tree, change: Tree): Tree => {
  const merged = Object.entries(change).flatMap(([name, value]) => {
    if (!isRecord(value)) return [[name, value]];
    const before = stored[name];
    // An object with only unknown keys changes nothing.
    return changedFields(value).length === 0
      ? []
      : [[name, mergePreferences(isRecord(before) ? before : {}, value)]];
  });
  return { ...stored, ...Object.fromEntries(merged) };
};
