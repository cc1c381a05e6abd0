import { faaSchedule, parseFaaNotam } from '#domain/notam/faa.ts';
import { icaoOfFaaLocation } from '#domain/notam/faa-locations.ts';
import { buildNotam } from '#domain/notam/icao.ts';
import { isReject } from '#domain/notam/parse.ts';
import { parseNotamTime } from '#domain/notam/time.ts';
import type { Notam, NotamReject } from '#domain/notam/types.ts';

/** One NOTAM from an FAA service, in GeoJSON or AIXM. */
export interface ServiceNotam {
  id: string;
  /** Text of a field by its name, which is the same in both formats. */
  fields: (name: string) => string | undefined;
  /** "!STL 08/430 ..." */
  localText?: string | undefined;
  /** Text in ICAO layout. */
  icaoText?: string | undefined;
}

/** Some texts are escaped twice, in upper case. */
const entities: Record<string, string> = { QUOT: '"', AMP: '&', LT: '<', GT: '>', APOS: "'" };
const unescape = (text: string): string =>
  text.replace(/&(QUOT|AMP|LT|GT|APOS);/gi, (all, name: string) => entities[name.toUpperCase()] ?? all);

/** "A0115/24" unchanged, "4146" in series A in 2025 as "A4146/25". */
const icaoNumber = ({ fields }: ServiceNotam): string | null => {
  const [number = '', series, year = ''] = ['number', 'series', 'year'].map(fields);
  if (/^[A-Z]{1,2}\d{1,4}\/\d{2}$/.test(number)) return number;
  if (!/^\d{1,4}$/.test(number) || !/^\d{4}$/.test(year) || series === undefined) return null;
  return `${series}${number.padStart(4, '0')}/${year.slice(2)}`;
};

const icaoCode = ({ fields }: ServiceNotam): string | null => {
  const code = fields('icaoLocation') ?? '';
  return /^[A-Z][A-Z0-9]{3}$/.test(code) ? code : icaoOfFaaLocation(fields('location') ?? '');
};

/** Fields that both layouts share. */
const commonOf = ({ fields, icaoText, localText }: ServiceNotam, text: string) => ({
  type: (['R', 'C'] as const).find((type) => type === fields('type')) ?? ('N' as const),
  from: parseNotamTime(fields('effectiveStart') ?? ''),
  to: parseNotamTime(fields('effectiveEnd') ?? 'PERM'),
  scheduleRaw: fields('schedule')?.trim() || null,
  raw: icaoText ?? localText ?? text,
});

/** Built from the fields, which have the times even where a domestic text is damaged. */
const fromFaaFields = (from: ServiceNotam): Notam | NotamReject | null => {
  const { fields, localText } = from;
  const location = fields('location');
  const number = /^!\s*\S+\s+(\d{1,2}\/\d{3,5})/.exec(localText ?? '')?.[1] ?? fields('number');
  const text = unescape(fields('text') ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  const common = commonOf({ ...from, icaoText: undefined }, text);
  if (number === undefined || !common.from?.utc || text === '') return null;
  const icao = icaoCode(from);
  return buildNotam({
    ...common,
    number,
    replaces: null,
    format: 'faa',
    issuer: `${fields('accountId') ?? location ?? ''}:${common.from.utc.slice(0, 4)}`,
    qLine: null,
    locations: location === undefined ? [] : [location],
    airports: icao === null ? [] : [icao],
    from: common.from,
    to: common.to ?? { utc: null, isEstimated: true },
    scheduleRaw: common.scheduleRaw ?? faaSchedule(text),
    text,
  });
};

const fromDomesticText = (from: ServiceNotam, text: string): Notam | NotamReject => {
  const near = parseNotamTime(from.fields('effectiveStart') ?? '')?.utc;
  const record = parseFaaNotam(unescape(text), icaoCode(from), near ? new Date(near) : undefined);
  if (isReject(record)) return fromFaaFields(from) ?? record;
  // A cancellation repeats the number of the NOTAM it cancels.
  return from.fields('type') === 'C'
    ? { ...record, type: 'C', replacesKey: record.key, effects: [], flags: [] }
    : record;
};

/** Completes one service record; `reason` names missing fields. */
export const serviceRecord = (from: ServiceNotam): Notam | NotamReject => {
  const { id, fields, localText, icaoText = '' } = from;
  if (localText?.trimStart().startsWith('!')) return fromDomesticText(from, localText);
  const text = fields('text') ?? '';
  const reject = (reason: string): NotamReject => ({ reason: `${id}: ${reason}`, raw: text });
  const number = icaoNumber(from);
  if (number === null) return fromFaaFields(from) ?? reject('no NOTAM number');
  if (text === '') return reject('no text');
  const { from: start, to: end, ...common } = commonOf(from, text);
  if (!start?.utc) return reject(`start not understood: "${fields('effectiveStart') ?? ''}"`);
  if (!end) return reject(`end not understood: "${fields('effectiveEnd') ?? ''}"`);
  const fir = fields('affectedFir') ?? fields('affectedFIR') ?? '';
  const isFir = /^[A-Z]{4}$/.test(fir);
  const [location = '', code, scope, account = ''] = ['location', 'selectionCode', 'scope', 'accountId'].map(
    fields,
  );
  const locations = location.split(/\s+/).filter((each) => each !== '');
  // The international form of a domestic NOTAM has a three-letter aerodrome code.
  const isAerodrome = locations.every((each) => each.length < 4) && scope?.includes('A') !== false;
  const icao = icaoCode(from);
  return buildNotam({
    ...common,
    number,
    replaces: /NOTAM[RC]\s+([A-Z]{1,2}\d{1,4}\/\d{2})/.exec(icaoText)?.[1] ?? null,
    format: 'icao',
    issuer: isFir ? fir : location || account,
    qLine:
      isFir && code !== undefined
        ? `${fir}/${code}///${scope ?? ''}///${fields('coordinates') ?? ''}${fields('radius') ?? ''}`
        : null,
    locations,
    ...(isAerodrome ? { airports: icao === null ? [] : [icao] } : {}),
    from: start,
    to: { utc: end.utc, isEstimated: end.isEstimated || /\nC\)\s*\d+\s*EST/.test(icaoText) },
    text: unescape(text).trim(),
  });
};
