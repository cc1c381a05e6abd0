import { text } from 'node:stream/consumers';
import { isReject, parseNotam } from '#domain/notam/parse.ts';
import { splitNotamTexts } from '#domain/notam/split.ts';
import type { Notam } from '#domain/notam/types.ts';

const shown = (notam: Notam) => ({
  number: notam.number,
  key: notam.key,
  type: notam.type,
  replaces: notam.replacesKey,
  fir: notam.fir,
  locations: notam.locations,
  airports: notam.airports,
  qCode: notam.qCode,
  from: notam.fromUtc,
  to: notam.toUtc,
  isEstimated: notam.isEstimated,
  schedule: notam.scheduleRaw,
  scheduleRead: notam.schedule,
  effects: notam.effects,
  flags: notam.flags,
  text: notam.text,
});

const decode = (raw: string) => {
  const result = parseNotam(raw);
  return isReject(result) ? { error: result.reason, raw } : shown(result);
};

/**
 * Reads ICAO or FAA texts separated by blank lines (also within item E) and prints one JSON line each: identification,
 * validity, schedule, runway effects and unread parts; or `error` and the text.
 */
export const decodeNotams = (texts: string): string[] =>
  splitNotamTexts(texts).map((raw) => JSON.stringify(decode(raw)));

/** `npm run decode -- notam < texts` */
export const run = async (): Promise<void> => {
  for (const line of decodeNotams(await text(process.stdin))) process.stdout.write(`${line}\n`);
};
