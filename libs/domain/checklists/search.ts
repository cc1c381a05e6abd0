/** What a list of checklists is searched for. */
import type { BuiltInChecklist } from './built-in.ts';

/** Null: any. */
export interface ChecklistSearch {
  /** ICAO designator of the type. */
  aircraftType: string | null;
  /** Beginnings of words that all have to be there. */
  words: string | null;
}

/** The words of a text, as the database parts them for stored checklists. */
const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036F]/g, '')
    .toLowerCase()
    .split(/[^a-z\d\u0080-\uFFFF]+/)
    .filter((word) => word !== '');

/** Null for a text in which there is nothing to look for. */
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
