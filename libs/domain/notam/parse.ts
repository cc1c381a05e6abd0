import { parseFaaNotam } from './faa.ts';
import { parseIcaoNotam } from './icao.ts';
import { snowtamStart, splitNotamTexts } from './split.ts';
import { parseSnowtam } from './surface/parse-snowtam.ts';
import type { Notam, NotamBatch, NotamReject } from './types.ts';
import { pattern } from './vocabulary.ts';

export const isReject = (result: Notam | NotamReject): result is NotamReject => 'reason' in result;

const snowtam = pattern`^\s*${snowtamStart}`;

/**
 * Parses one NOTAM text (ICAO or FAA domestic) or a SNOWTAM. Never throws: a text that cannot be parsed becomes a
 * reject with a reason. Two-digit years are within 50 years of `now`.
 */
export const parseNotam = (raw: string, now?: Date): Notam | NotamReject => {
  if (raw.trimStart().startsWith('!')) return parseFaaNotam(raw, null, now);
  if (!snowtam.test(raw)) return parseIcaoNotam(raw, now);
  return now ? parseSnowtam(raw, now) : { reason: 'the year of a SNOWTAM is not known', raw };
};

/**
 * Makes keys unique in a batch: the same NOTAM listed under several FIRs counts once, and a second text with the same
 * number (part of a long NOTAM) gets "#2".
 */
export const mergeNotams = (results: Iterable<Notam | NotamReject>): NotamBatch => {
  const records = new Map<string, Notam>();
  const rejects: NotamReject[] = [];
  for (const result of results) {
    if (isReject(result)) {
      rejects.push(result);
      continue;
    }
    for (let n = 1; ; n++) {
      const key = n === 1 ? result.key : `${result.key}#${n}`;
      const known = records.get(key);
      if (!known) records.set(key, n === 1 ? result : { ...result, key });
      else if (known.text.replace(/\s+/g, '') !== result.text.replace(/\s+/g, '')) continue;
      else
        records.set(key, {
          ...known,
          locations: [...new Set([...known.locations, ...result.locations])],
          airports: [...new Set([...known.airports, ...result.airports])],
        });
      break;
    }
  }
  return { records: [...records.values()], rejects };
};

/** Parses a file of NOTAM texts in any mixture of ICAO and FAA layouts. */
export const parseNotamTexts = (text: string, now?: Date): NotamBatch =>
  mergeNotams(splitNotamTexts(text).map((raw) => parseNotam(raw, now)));
