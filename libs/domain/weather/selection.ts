import type { MetarRecord, TafRecord } from './types.ts';

const correctedPattern = /\b(?:COR|CORR|CC[A-Z])\b/;
const amendedPattern = /\b(?:AMD|COR)\b/;

/**
 * True when a METAR replaces the stored one of its station: a newer observation; at the same time a corrected
 * report, else the longer one. Never an older one, unless the stored one is dated in the future of `receivedAt`.
 */
export const replacesMetar = (candidate: MetarRecord, stored: MetarRecord, receivedAt?: Date): boolean => {
  const [a, b] = [Date.parse(candidate.observedAt), Date.parse(stored.observedAt)];
  if (a !== b) return a > b || isFuture(b, receivedAt);
  if (candidate.raw === stored.raw) return false;
  const [corrected, storedCorrected] = [
    correctedPattern.test(head(candidate.raw)),
    correctedPattern.test(head(stored.raw)),
  ];
  return corrected === storedCorrected ? candidate.raw.length > stored.raw.length : corrected;
};

/**
 * True when a TAF replaces the stored one: a newer issue; of the same issue an amended or corrected one; any one, when the
 * stored one is dated in the future of `receivedAt`.
 */
export const replacesTaf = (candidate: TafRecord, stored: TafRecord, receivedAt?: Date): boolean => {
  const [a, b] = [Date.parse(candidate.issuedAt), Date.parse(stored.issuedAt)];
  if (a !== b) return a > b || isFuture(b, receivedAt);
  if (candidate.raw === stored.raw) return false;
  const [amended, storedAmended] = [
    amendedPattern.test(head(candidate.raw)),
    amendedPattern.test(head(stored.raw)),
  ];
  return amended === storedAmended ? candidate.raw.length > stored.raw.length : amended;
};

/** The best record of each station of one batch. */
export const bestPerStation = <T extends { icao: string }>(
  records: readonly T[],
  replaces: (candidate: T, stored: T) => boolean,
): T[] => {
  const best = new Map<string, T>();
  for (const record of records) {
    const stored = best.get(record.icao);
    if (!stored || replaces(record, stored)) best.set(record.icao, record);
  }
  return [...best.values()];
};

const isFuture = (ms: number, receivedAt: Date | undefined): boolean =>
  receivedAt !== undefined && ms > receivedAt.getTime();

/** COR and AMD come before the groups; after them the letters may be part of a remark. */
const head = (raw: string): string => raw.slice(0, 32);
