/**
 * Aircraft report cache of the Aviation Weather Center (CSV). Column names repeat, because each report has two
 * turbulence and two icing layers.
 */
import { parse } from 'csv-parse/sync';
import type { Pirep } from '#domain/weather/pirep.ts';
import type { ParseResult } from '#domain/weather/types.ts';
import { collector } from '../../weather/collect.ts';
import { SourceError, refuseHtml } from '#domain/source-error.ts';
import { numberOf as csvNumber, textOf as csvText } from '../csv.ts';

const maxRecordLength = 20_000;
const mostRecords = 50_000;
const maxRaw = 1_000;
const maxWord = 20;
/** Reporters' clocks may run ahead. */
const aheadMs = 30 * 60_000;

/** Values by column name, in the order in which the name repeats. */
type Row = Readonly<Record<string, readonly string[]>>;

const textOf = (row: Row, name: string, i = 0): string | null => csvText(row[name]?.[i]);
const numberOf = (row: Row, name: string, i = 0): number | null => csvNumber(row[name]?.[i]);
const wholeOf = (row: Row, name: string, i = 0): number | null => {
  const value = numberOf(row, name, i);
  return value === null ? null : Math.round(value);
};

/** `NEGclr` is the intensity NEG with its reason. */
const wordOf = (text: string | null): string | null =>
  text === null ? null : text.slice(0, maxWord).replace(/clr$/, '').toUpperCase();

const layersOf = (row: Row, what: 'turbulence' | 'icing'): Pirep['icing'] =>
  [0, 1].flatMap((i) => {
    const intensity = wordOf(textOf(row, `${what}_intensity`, i));
    if (intensity === null) return [];
    return [
      {
        intensity,
        type: wordOf(textOf(row, `${what}_type`, i)),
        base: wholeOf(row, `${what}_base_ft_msl`, i),
        top: wholeOf(row, `${what}_top_ft_msl`, i),
      },
    ];
  });

const within = (value: number | null, most: number): value is number =>
  value !== null && Math.abs(value) <= most;

/** A report, or the reason for rejecting the row. */
const pirepOf = (row: Row, now: Date): Pirep | string => {
  const observed = new Date(textOf(row, 'observation_time') ?? '');
  if (Number.isNaN(observed.getTime())) return 'the time of the observation is unreadable';
  if (observed.getTime() > now.getTime() + aheadMs) return 'observed in the future';
  const [latitude, longitude] = [numberOf(row, 'latitude'), numberOf(row, 'longitude')];
  if (!within(latitude, 90) || !within(longitude, 180)) return 'without a place';
  if (textOf(row, 'bad_location') === 'TRUE') return 'the place is marked as wrong';
  const raw = textOf(row, 'raw_text');
  if (raw === null) return 'without a text';
  const type = textOf(row, 'report_type') ?? '';
  return {
    kind: type === 'AIREP' ? 'AIREP' : 'PIREP',
    isUrgent: /urgent/i.test(type) || /\bUUA\b/.test(raw),
    observedAt: observed.toISOString(),
    latitude,
    longitude,
    altitude: textOf(row, 'no_flt_lvl') === 'TRUE' ? null : wholeOf(row, 'altitude_ft_msl'),
    aircraft: textOf(row, 'aircraft_ref')?.slice(0, maxWord) ?? null,
    turbulence: layersOf(row, 'turbulence'),
    icing: layersOf(row, 'icing'),
    temperature: numberOf(row, 'temp_c'),
    windDirection: wholeOf(row, 'wind_dir_degrees'),
    windSpeed: wholeOf(row, 'wind_speed_kt'),
    text: raw.slice(0, maxRaw),
  };
};

/** Throws SourceError if the content is not a list of aircraft reports, or none is readable. */
export const parsePireps = (csv: string, now: Date): ParseResult<Pirep> => {
  refuseHtml(csv);
  const header = csv.indexOf('receipt_time,observation_time,');
  if (header < 0) throw new SourceError('WRONG_CONTENT', 'The file has no header of aircraft reports (CSV).');
  const found = collector<Pirep>();
  const rows: string[][] = parse(csv.slice(header), {
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      found.add(error?.code ?? 'not readable as CSV', '');
      return undefined;
    },
    max_record_size: maxRecordLength,
    to: mostRecords,
  });
  const [names = [], ...lines] = rows;
  for (const line of lines) {
    const row: Record<string, string[]> = {};
    for (const [i, name] of names.entries()) (row[name] ??= []).push(line[i] ?? '');
    found.add(pirepOf(row, now), line.slice(0, 2).join(','));
  }
  return found.result('The file contains no readable aircraft report');
};
