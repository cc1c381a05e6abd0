/** Parses a whole SNOWTAM as a NOTAM of its aerodrome. */
import { addSeconds } from '../../time.ts';
import { buildNotam } from '../icao.ts';
import type { Notam, NotamReject } from '../types.ts';
import { readSnowtam } from './snowtam.ts';
import { timeNear } from '../time.ts';

/** Real SNOWTAM are shorter. */
const maxLength = 8_000;
const heading = /^(?:SW[A-Z]{2}\d{4} [A-Z]{4} \d{8}\s+)?\(?SNOWTAM (\d{4})\s+([A-Z]{4})\s/;
const validHours = 8;

const timesIn = (text: string, now: Date): string[] =>
  [...text.matchAll(/\b(\d{2})(\d{2})(\d{2})(\d{2})\b/g)].flatMap(([, month, ...rest]) => {
    const time = timeNear(Number(month), rest.map(Number), now.toISOString());
    return time === null ? [] : [time];
  });

/** Parses a whole SNOWTAM, which is valid for eight hours from its latest line, in the year nearest to `now`. */
export const parseSnowtam = (raw: string, now: Date): Notam | NotamReject => {
  const plain = raw.slice(0, maxLength).toUpperCase();
  const [, number = '', location = ''] = heading.exec(plain) ?? [];
  if (number === '') return { reason: 'not a SNOWTAM', raw };
  const text = plain
    .slice(plain.indexOf('SNOWTAM'))
    .replace(/\s+/g, ' ')
    .replace(/\)\s*$/, '')
    .trim();
  const read = readSnowtam(text, now.toISOString()).reports.map(({ observedAt }) => observedAt);
  // A SNOWTAM that is not understood must still be shown, with the times in its header.
  const times = read.length > 0 ? read : timesIn(plain, now);
  const latest = times.toSorted().at(-1);
  if (latest === undefined) return { reason: 'no time of the SNOWTAM was understood', raw };
  const to = addSeconds(new Date(latest), validHours * 3_600).toISOString();
  return buildNotam({
    number: `SNOWTAM ${number}`,
    type: 'N',
    replaces: null,
    format: 'icao',
    issuer: `${location}:${latest.slice(0, 4)}`,
    qLine: null,
    locations: [location],
    from: { utc: times.toSorted()[0] ?? latest, isEstimated: false },
    to: { utc: to, isEstimated: false },
    scheduleRaw: null,
    text,
    raw,
  });
};
