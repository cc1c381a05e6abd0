/** Search criteria for checklists. */
import type { BuiltInChecklist } from './built-in.ts';

/** Null: any. */
export interface ChecklistSearch {
  /** ICAO type designator. */
  aircraftType: string | null;
  /** Word prefixes, all of which must occur. */
  words: string | null;
}

/** Splits a text into words like the database does for stored checklists. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .split(/[^a-z\d\u0080-\uFFFF]+/)
    .filter((word) => word !== '');

/** Null for a text without words. */
export const searchWords = (text: string | null | undefined): string | null => {
  const words = wordsOf(text ?? '');
  return words.length === 0 ? null : words.join(' ');
};

export const isFoundBuiltIn = (
  { name, description, aircraftTypes }: BuiltInChecklist,
  { aircraftType, words }: ChecklistSearch,
): boolean => {
  const has = wordsOf([name, description, ...aircraftTypes].join(' '));
  return (
    (aircraftType === null || aircraftTypes.includes(aircraftType)) &&
    wordsOf(words ?? '').every((word) => has.some((one) => one.startsWith(word)))
  );
};
