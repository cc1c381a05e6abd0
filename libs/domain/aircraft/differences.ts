/** Differences between aircraft profiles that affect a calculation. */
import type { JsonObject } from '../fleet/merge.ts';
import type { AircraftProfile } from './profile.ts';
import { differencesOf, isObject, isRecord } from '../record.ts';
import type { DifferentValue } from '../record.ts';

/** Names, checklists, data sources and golden points affect no calculation. */
const others: ReadonlySet<string> = new Set([
  'schemaVersion',
  'id',
  'formerIds',
  'profile',
  'provenance',
  'checklists',
  'vectors',
  'formData',
]);

export const calculatingPart = (profile: AircraftProfile): JsonObject =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => !others.has(name)));

/** The partial profile that `mergeProfiles` needs to turn `other` into `own`. */
export const changesOf = (own: JsonObject, other: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => {
      const under = other[name];
      if (differencesOf(value, under).length === 0) return [];
      return [[name, isRecord(value) && isRecord(under) ? changesOf(value, under) : value]];
    }),
  );

/** A differing value as shown in an answer; lists and blocks are not shown. */
export const shownValue = (value: unknown): string | number | boolean | null =>
  isObject(value) ? 'another list' : ((value as string | number | boolean | null | undefined) ?? null);

/** As many differences as fit into a sentence, and the number of others. */
export const differencesText = (
  differences: readonly DifferentValue[],
  most: number,
  otherWord = '',
): string => {
  const listed = differences
    .slice(0, most)
    .map(({ field, own, other }) => `${field} ${shownValue(own)} (${otherWord}${shownValue(other)})`);
  const more = differences.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
};
