import { faaSchedule, parseFaaNotam } from '#domain/notam/faa.ts';
import { icaoOfFaaLocation } from '#domain/notam/faa-locations.ts';
import { buildNotam } from '#domain/notam/icao.ts';
import { isReject } from '#domain/notam/parse.ts';
import { parseNotamTime } from '#domain/notam/time.ts';
import type { Notam, NotamReject } from '#domain/notam/types.ts';

/** One NOTAM as delivered by the FAA's services, GeoJSON or AIXM; every field as text. */
export interface ServiceNotam {
  id: string;
  series?: string | undefined;
  number?: string | undefined;
  year?: string | undefined;
  type?: string | undefined;
  affectedFir?: string | undefined;
  selectionCode?: string | undefined;
  scope?: string | undefined;
  coordinates?: string | undefined;
  radius?: string | undefined;
  location?: string | undefined;
  icaoLocation?: string | undefined;
  effectiveStart?: string | undefined;
  effectiveEnd?: string | undefined;
  schedule?: string | undefined;
  text?: string | undefined;
  accountId?: string | undefined;
  /** "!STL 08/430 ..." */
  localText?: string | undefined;
  /** The ICAO layout. */
  icaoText?: string | undefined;
}

/** Some texts are escaped twice, in upper case. */
const entities: Record<string, string> = { QUOT: '"', AMP: '&', LT: '<', GT: '>', APOS: "'" };
const unescape = (text: string): string =>
  text.replace(/&(QUOT|AMP|LT|GT|APOS);/gi, (all, name: string) => entities[name.toUpperCase()] ?? all);

const typeOf = (text: string | undefined): 'N' | 'R' | 'C' => (text === 'R' || text === 'C' ? text : 'N');

/** "A0115/24" unchanged, "4146" of series A in 2025 as "A4146/25". */
const icaoNumber = (from: ServiceNotam): string | null => {
  const number = from.number ?? '';
  if (/^[A-Z]{1,2}\d{1,4}\/\d{2}$/.test(number)) return number;
  const year = /^\d{4}$/.test(from.year ?? '') ? (from.year ?? '').slice(2) : null;
  if (!/^\d{1,4}$/.test(number) || year === null || from.series === undefined) return null;
  return `${from.series}${number.padStart(4, '0')}/${year}`;
};

const icaoCode = (from: ServiceNotam): string | null => {
  const code = from.icaoLocation ?? '';
  return /^[A-Z][A-Z0-9]{3}$/.test(code) ? code : icaoOfFaaLocation(from.location ?? '');
};

const replacedIn = (text: string | undefined): string | null =>
  /NOTAM[RC]\s+([A-Z]{1,2}\d{1,4}\/\d{2})/.exec(text ?? '')?.[1] ?? null;

const domestic = (from: ServiceNotam): Notam | NotamReject | null => {
  if (from.localText === undefined || !from.localText.trimStart().startsWith('!')) return null;
  const near = parseNotamTime(from.effectiveStart ?? '')?.utc;
  const record = parseFaaNotam(unescape(from.localText), icaoCode(from), near ? new Date(near) : undefined);
  if (isReject(record)) return fromFaaFields(from) ?? record;
  // A cancellation repeats the number of the NOTAM it cancels.
  if (from.type === 'C') return { ...record, type: 'C', replacesKey: record.key, effects: [], flags: [] };
  return record;
};

/** The validity in the text is damaged: the service also provides the times as fields. */
const fromFaaFields = (from: ServiceNotam): Notam | NotamReject | null => {
  const start = parseNotamTime(from.effectiveStart ?? '');
  const number = /^!\s*\S+\s+(\d{1,2}\/\d{3,5})/.exec(from.localText ?? '')?.[1] ?? from.number ?? null;
  if (number === null || !start?.utc || from.text === undefined) return null;
  const icao = icaoCode(from);
  const text = unescape(from.text).replace(/\s+/g, ' ').trim();
  return buildNotam({
    number,
    type: typeOf(from.type),
    replaces: null,
    format: 'faa',
    issuer: `${from.accountId ?? from.location ?? ''}:${start.utc.slice(0, 4)}`,
    qLine: null,
    locations: from.location === undefined ? [] : [from.location],
    airports: icao === null ? [] : [icao],
    from: start,
    to: parseNotamTime(from.effectiveEnd ?? 'PERM') ?? { utc: null, isEstimated: true },
    scheduleRaw: from.schedule?.trim() || faaSchedule(text),
    text,
    raw: from.localText ?? from.text,
  });
};

/** Completes one record of the service; `reason` names what is missing. */
export const serviceRecord = (from: ServiceNotam): Notam | NotamReject => {
  const local = domestic(from);
  if (local) return local;
  const reject = (reason: string): NotamReject => ({ reason: `${from.id}: ${reason}`, raw: from.text ?? '' });
  const number = icaoNumber(from);
  if (number === null) return fromFaaFields(from) ?? reject('no NOTAM number');
  if (from.text === undefined) return reject('no text');
  const start = parseNotamTime(from.effectiveStart ?? '');
  if (!start?.utc) return reject(`start not understood: "${from.effectiveStart ?? ''}"`);
  const end = parseNotamTime(from.effectiveEnd ?? 'PERM');
  if (!end) return reject(`end not understood: "${from.effectiveEnd ?? ''}"`);
  const isEstimated = end.isEstimated || /\nC\)\s*\d+\s*EST/.test(from.icaoText ?? '');
  const fir = from.affectedFir ?? '';
  const qLine = `${fir}/${from.selectionCode ?? ''}///${from.scope ?? ''}///${from.coordinates ?? ''}${from.radius ?? ''}`;
  const locations = (from.location ?? '').split(/\s+/).filter((each) => each !== '');
  // The international form of a domestic NOTAM has a three-letter aerodrome code.
  const icao = icaoCode(from);
  const isAerodrome =
    locations.every((each) => each.length < 4) && (from.scope === undefined || from.scope.includes('A'));
  return buildNotam({
    number,
    type: typeOf(from.type),
    replaces: replacedIn(from.icaoText),
    format: 'icao',
    issuer: /^[A-Z]{4}$/.test(fir) ? fir : (from.location ?? from.accountId ?? ''),
    qLine: /^[A-Z]{4}$/.test(fir) && from.selectionCode !== undefined ? qLine : null,
    locations,
    ...(isAerodrome ? { airports: icao === null ? [] : [icao] } : {}),
    from: start,
    to: { utc: end.utc, isEstimated },
    scheduleRaw: from.schedule?.trim() || null,
    text: unescape(from.text).trim(),
    raw: from.icaoText ?? from.text,
  });
};
