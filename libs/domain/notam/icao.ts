import { faaLocationOf } from './faa-locations.ts';
import { interpret, partOf } from './interpret.ts';
import { parseQLine } from './q-line.ts';
import { parseNotamTime } from './time.ts';
import type { NotamTime } from './time.ts';
import type { Notam, NotamReject } from './types.ts';

/** Items of one NOTAM in any format, with its text not yet interpreted. */
interface NotamFields extends Pick<
  Notam,
  'number' | 'type' | 'format' | 'locations' | 'scheduleRaw' | 'text' | 'raw'
> {
  replaces: string | null;
  /** The issuer: FIR for ICAO numbers, accountability and year for FAA numbers. */
  issuer: string;
  qLine: string | null;
  airports?: string[];
  from: NotamTime;
  to: NotamTime;
}

const header =
  /^\(?(?:([A-Z]{4})[- ])?([A-Z]{1,2}\d{1,4}\/\d{2}|\d{1,2}\/\d{3,5}(?=\s+NOTAM[NRC]?\b))(?:\s+NOTAM([NRC])?(?:\s+(?:([A-Z]{4})[- ])?([A-Z]{1,2}\d{1,4}\/\d{2}|\d{1,2}\/\d{3,5}))?)?/;
/** Items F and G at the end of the text, on one line or two. */
const limitItems =
  /\sF\) ?(?=SFC|GND|FL|UNL|MSL|\d)([^\n)]{1,40}?)(?: G\) ?([^\n)]{1,40}))?(?:\nG\) ?([^\n)]{1,40}))? ?\)?\s?(?=\s?(?:CREATED|SOURCE)|$)/;
const trailer = /\s{0,2}(?:CREATED|SOURCE) ?:.*$/s;

const item = (head: string, letter: string): string | null =>
  new RegExp(`(?:^|\\s)${letter}\\)\\s*(.*?)(?=\\s[QABCDEFG]\\)|$)`, 's').exec(head)?.[1]?.trim() ?? null;

const maxTextLength = 60_000;
/** Limit for the items before E. */
const maxHeadLength = 4_000;

const frenchTimes = /DU\s*:\s*([\d :]+?)\s+AU\s*:\s*(PERM|UFN|[\d :]+(?:\s*EST)?)/;

/** Completes a NOTAM with position and code of item Q, schedule, effects and flags. */
export const buildNotam = (fields: NotamFields): Notam | NotamReject => {
  const { replaces, issuer, qLine, from, to, ...items } = fields;
  const { raw, number, locations } = items;
  if (from.utc === null) return { reason: 'start of validity missing', raw };
  if (to.utc !== null && to.utc < from.utc)
    return { reason: `ends before it starts (${from.utc} to ${to.utc})`, raw };
  const q = qLine === null ? null : parseQLine(qLine);
  const { fir = null, qCode = null, scope = null, position = null } = q ?? {};
  const isOfAerodrome = scope === null || scope.includes('A');
  const notam = {
    ...items,
    key: `${issuer}:${number}`,
    replacesKey: replaces && `${issuer}:${replaces}`,
    fir,
    airports: items.airports ?? locations.filter((each) => isOfAerodrome && /^[A-Z]{4}$/.test(each)),
    qCode,
    position,
    fromUtc: from.utc,
    toUtc: to.utc,
    isEstimated: to.isEstimated,
  };
  return {
    ...notam,
    ...interpret(notam, qLine !== null && !q),
  };
};

/** Shortens runs of blanks and lines so that every pattern runs in linear time; no real text reaches the limit. */
const tidy = (raw: string): string =>
  raw
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** Parses one NOTAM in any of the usual ICAO layouts. */
export const parseIcaoNotam = (raw: string, now?: Date): Notam | NotamReject => {
  const reject = (reason: string): NotamReject => ({ reason, raw });
  if (raw.length > maxTextLength) return reject(`longer than ${maxTextLength} characters`);
  const text = tidy(raw);
  const bodyAt = /(?:^|\s)E\)/.exec(text);
  const head = (bodyAt ? text.slice(0, bodyAt.index) : text).slice(0, maxHeadLength).trim();
  const titled = header.exec(head);
  const [, office = null, number = null, type = 'N', , replaced = null] = titled ?? [];
  if (number === null || number === undefined) return reject('no NOTAM number');
  const isCancel = type === 'C';
  if (!bodyAt && !isCancel) return reject('item E missing');
  const itemA = item(head, 'A') ?? '';
  const locations = itemA
    .replace(partOf, ' ')
    .split(/[\s,/]+/)
    .filter((each) => /^[A-Z]{4}$/.test(each));
  if (locations.length === 0) return reject('item A missing');
  const french = frenchTimes.exec(head);
  const fromText = item(head, 'B') ?? french?.[1] ?? null;
  const toText = item(head, 'C') ?? french?.[2] ?? null;
  const from = fromText === null ? null : parseNotamTime(fromText, now);
  if (!from?.utc) return reject(`item B not understood: "${fromText ?? ''}"`);
  const to = toText === null ? null : parseNotamTime(toText, now);
  if (!to && !isCancel) return reject(`item C not understood: "${toText ?? ''}"`);
  const qLine = item(head, 'Q')?.replace(/\s*\n[\s\S]*/, '') ?? null;
  const afterE = bodyAt ? text.slice(bodyAt.index + bodyAt[0].length) : '';
  const limits = limitItems.exec(afterE);
  const body = (limits ? afterE.slice(0, limits.index) : afterE).replace(trailer, '').trim();
  return buildNotam({
    number,
    type: type === 'R' || type === 'C' ? type : 'N',
    replaces: replaced,
    format: 'icao',
    // The FAA numbers NOTAM by location and year, also in ICAO layout: "10/132" of KXYZ is "XYZ:2026:10/132".
    issuer: /^\d/.test(number)
      ? `${faaLocationOf(locations[0] ?? '')}:${from.utc.slice(0, 4)}`
      : (parseQLine(qLine ?? '')?.fir ?? office ?? locations[0] ?? ''),
    qLine,
    locations,
    from,
    to: to ?? { utc: null, isEstimated: false },
    scheduleRaw: item(head, 'D')?.replace(/\s+/g, ' ') || null,
    text: titled && body.endsWith(')') && raw.trimStart().startsWith('(') ? body.slice(0, -1).trim() : body,
    raw,
  });
};
