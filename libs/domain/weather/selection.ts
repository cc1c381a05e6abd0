import type { MetarRecord, TafRecord } from './types.ts';

/** COR and AMD precede the groups; later the same letters may be part of a remark. */
const isRevised = (raw: string, words: RegExp): boolean => words.test(raw.slice(0, 32));

const replaces = (
  [at, raw]: readonly [at: string, raw: string],
  [storedAt, stored]: readonly [at: string, raw: string],
  revision: RegExp,
  receivedAt: Date | undefined,
): boolean => {
  const [a, b] = [Date.parse(at), Date.parse(storedAt)];
  if (a !== b) return a > b || (receivedAt !== undefined && b > receivedAt.getTime());
  if (raw === stored) return false;
  const [isNew, isOld] = [isRevised(raw, revision), isRevised(stored, revision)];
  return isNew === isOld ? raw.length > stored.length : isNew;
};

/**
 * True when a METAR replaces the stored one of its station: a newer observation, or at the same time a corrected
 * report, else the longer one. An older one never does, unless the stored one is dated after `receivedAt`.
 */
export const replacesMetar = (candidate: MetarRecord, stored: MetarRecord, receivedAt?: Date): boolean =>
  replaces(
    [candidate.observedAt, candidate.raw],
    [stored.observedAt, stored.raw],
    /\b(?:COR|CORR|CC[A-Z])\b/,
    receivedAt,
  );

/** Same rule for TAFs, by issue time; an amended or corrected one is preferred. */
export const replacesTaf = (candidate: TafRecord, stored: TafRecord, receivedAt?: Date): boolean =>
  replaces([candidate.issuedAt, candidate.raw], [stored.issuedAt, stored.raw], /\b(?:AMD|COR)\b/, receivedAt);

/** The best record of each station of one batch. */
export const bestPerStation = <T extends { icao: string }>(
  records: readonly T[],
  isBetter: (candidate: T, stored: T) => boolean,
): T[] => {
  const best = new Map<string, T>();
  for (const record of records) {
    const stored = best.get(record.icao);
    if (!stored || isBetter(record, stored)) best.set(record.icao, record);
  }
  return [...best.values()];
};
