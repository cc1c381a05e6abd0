import { icaoOfFaaLocation } from './faa-locations.ts';
import { buildNotam } from './icao.ts';
import { parseNotamTime } from './time.ts';
import type { Notam, NotamReject } from './types.ts';
import { pattern, weekdays } from './vocabulary.ts';

const form = /^!\s*([A-Z0-9]{2,4})\s+(\d{1,2}\/\d{3,5})\s+([A-Z0-9]{3,4})\s+(.*)$/s;
const validity = /\s?(\d{10})\s?-\s?(\d{10}\s?(?:EST)?|PERM|UFN)\.?$/;
const days = `DLY|DAILY|${weekdays.join('|')}`;
/** The schedule ends the text: "DLY 1100-0001", "MON-FRI 1300-2100". */
const schedule = pattern`\s((?:${days})(?:[-, ]{1,3}(?:${days}))*\s+(?:\d{4}|SR|SS)\s*-\s*(?:\d{4}|SR|SS)(?:[ ,]+[A-Z0-9 ,-]*)?)$`;
const endOfPart = / END PART \d{1,3} OF \d{1,3}$/;
const cancels = /\b(?:CANC?(?:EL(?:S|ED|LED)?)?)\s+(\d{1,2}\/\d{3,5})\b/;

const maxScheduleLength = 200;

/** Schedule at the end of an FAA text, or null. */
export const faaSchedule = (body: string): string | null =>
  schedule.exec(body.slice(-maxScheduleLength))?.[1]?.trim() ?? null;

/** Reads one FAA domestic NOTAM: "!JFK 08/123 JFK RWY 04L/22R CLSD 2508210234-2510012359". */
export const parseFaaNotam = (
  raw: string,
  icaoLocation: string | null = null,
  now?: Date,
): Notam | NotamReject => {
  const match = form.exec(
    raw.slice(0, 16_000).replace(/\s+/g, ' ').trim().toUpperCase().replace(endOfPart, ''),
  );
  if (!match) return { reason: 'not an FAA domestic NOTAM', raw };
  const [, account = '', number = '', location = '', rest = ''] = match;
  const valid = validity.exec(rest);
  if (!valid) return { reason: 'validity at the end of the text not understood', raw };
  const from = parseNotamTime(valid[1] ?? '', now);
  const to = parseNotamTime(valid[2] ?? '', now);
  if (!from?.utc || !to) return { reason: `validity not understood: "${valid[0].trim()}"`, raw };
  const body = rest.slice(0, valid.index).replace(/\s+/g, ' ').trim();
  const cancelled = cancels.exec(body)?.[1] ?? null;
  const icao = icaoLocation ?? icaoOfFaaLocation(location);
  return buildNotam({
    number,
    type: cancelled === null ? 'N' : 'C',
    replaces: cancelled,
    format: 'faa',
    issuer: `${account}:${from.utc.slice(0, 4)}`,
    qLine: null,
    locations: [location],
    airports: icao === null ? [] : [icao],
    from,
    to,
    scheduleRaw: faaSchedule(body),
    text: body,
    raw,
  });
};
