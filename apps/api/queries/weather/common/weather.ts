import type { KnownAirport, ServedRunwayEnd } from '#domain/airports/served.ts';
import type { MetarRecord, TafRecord } from '#domain/weather/types.ts';
import { currentDatis } from '#store/postgres/weather/datis.ts';
import type { AirportDatis } from '#store/postgres/weather/datis.ts';
import type { NumberedNotam } from '#domain/notam/apply.ts';
import { solarDayStart, sunOfDay } from '#domain/sun.ts';
import { addSeconds } from '#domain/time.ts';
import { atisFacts } from '#domain/weather/atis-facts.ts';
import { airAbove, densityAltitudeOf } from '#domain/weather/air-above.ts';
import { categoryOf, flightCategory } from '#domain/weather/category.ts';
import { forecastAnswer } from '#domain/weather/forecast-answer.ts';
import { nearestStation } from '#domain/weather/nearest-station.ts';
import type { WantedParts, WeatherParts } from '#domain/weather/parts.ts';
import { readReport } from '#domain/weather/report.ts';
import type { Report } from '#domain/weather/report.ts';
import { runwaysInUse } from '#domain/weather/runway-in-use.ts';
import { metarHistoryHours, metarValidityMinutes, utcText } from '#domain/weather/times.ts';
import { metarRepo } from '#store/postgres/weather/reports.ts';
import { unknownAirport } from '../../airports/common/airports.ts';
import type { Needs } from '../../../handler-context.ts';
import type { Caches } from '../../../services/caches.ts';

// Notices about the requested code.

/** For a code that is neither an airport nor a station. */
export const unknownNotice = async (caches: Parameters<typeof unknownAirport>[0], icao: string) => {
  const { nearest } = await unknownAirport(caches, icao);
  const hint = nearest.length > 0 ? ` Did you mean ${nearest.join(', ')}?` : '';
  return {
    code: 'UNKNOWN_ICAO' as const,
    message: `No airport or station ${icao} is known.${hint}`,
    nearest,
  };
};

/** For an airport with several codes, the current one first. */
export const renamedNotice = (icao: string, [present = icao, ...former]: readonly string[]) => ({
  code: 'RENAMED_ICAO' as const,
  message: `${present} was ${former.join(', ')}: reports under any of these codes are answered, each with its own.`,
  nearest: [present],
});

// Loads everything stored about airports, with a fixed number of statements.

export interface Station {
  /** The code as requested. */
  icao: string;
  /** All codes of the airport, the current one first. */
  icaos: readonly string[];
  known: KnownAirport | null;
  notams: readonly NumberedNotam[];
  metar: MetarRecord | null;
  taf: TafRecord | null;
  datis: AirportDatis;
  /** True if it is neither an airport nor a reporting station. */
  isUnknown: boolean;
}

export const latest = <T>(list: readonly T[], timeOf: (item: T) => string): T | null =>
  (list.length < 2 ? list : list.toSorted((a, b) => timeOf(b).localeCompare(timeOf(a))))[0] ?? null;

export const stationsOf = async (
  caches: Pick<Caches, 'icaoGroups' | 'airports' | 'notams' | 'metars' | 'tafs' | 'datis'>,
  asked: readonly string[],
  now: Date,
): Promise<Station[]> => {
  const groups = await caches.icaoGroups.get('all');
  const codes = asked.map((icao) => groups.get(icao) ?? [icao]);
  const all = codes.flat();
  const [airports, notams, metars, tafs, datis] = await Promise.all([
    caches.airports.getMany(codes.map(([present = '']) => present)),
    caches.notams.getMany(all),
    caches.metars.getMany(all),
    caches.tafs.getMany(all),
    caches.datis.getMany(all),
  ]);
  let first = 0;
  return asked.map((icao, i) => {
    const icaos = codes[i] ?? [icao];
    const [present = icao] = icaos;
    const own = <T>(lists: readonly (readonly T[])[]): readonly T[] =>
      icaos.length === 1 ? (lists[first] ?? []) : lists.slice(first, first + icaos.length).flat();
    const metar = latest(own(metars), ({ observedAt }) => observedAt);
    const taf = latest(own(tafs), ({ issuedAt }) => issuedAt);
    const stored = own(datis);
    // A NOTAM affects the airports that it names.
    const about = own(notams).map((notam) =>
      icaos.length === 1 ? notam : { ...notam, airports: [...notam.airports, present] },
    );
    const known = airports[i] ?? null;
    first += icaos.length;
    return {
      icao,
      icaos,
      known,
      notams: about,
      metar,
      taf,
      datis: currentDatis(stored, now),
      isUnknown: !known && !metar && !taf && stored.length === 0,
    };
  });
};

// Parts of a weather answer that are computed on request.

type Call = Needs<'db' | 'caches' | 'winds' | 'now'>;

const shownReport = (record: MetarRecord) => ({
  icao: record.icao,
  date: utcText(record.observedAt),
  source: record.source,
  text: record.raw,
  flightCategory: flightCategory(record.raw),
});

/** The nearest reporting station of each airport without its own reports. */
const nearestOf = async ({ caches, now }: Call, asked: readonly Station[]) => {
  const since = addSeconds(now, -metarValidityMinutes * 60);
  const silent = asked.flatMap(({ known, metar }) =>
    known && (metar === null || new Date(metar.observedAt) < since) ? [known.airport] : [],
  );
  const stations = silent.length === 0 ? [] : await caches.reportingStations.get('all');
  const found = silent.flatMap((airport) => {
    const nearest = nearestStation(airport, stations, since);
    return nearest ? [{ icao: airport.icao, nearest }] : [];
  });
  const reports = await caches.metars.getMany(found.map(({ nearest }) => nearest.icao));
  return new Map(
    found.flatMap(({ icao, nearest }, i) => {
      const record = reports[i]?.[0];
      if (!record) return [];
      const distance = Math.round(nearest.distanceNm * 10) / 10;
      const bearing = Math.round(nearest.bearingDeg) % 360;
      return [[icao, { ...shownReport(record), name: nearest.name, distance, bearing }] as const];
    }),
  );
};

const historyOf = async ({ db, now }: Call, asked: readonly Station[]) => {
  const icaos = asked.flatMap((station) => station.icaos);
  const records = await metarRepo(db).history(icaos, addSeconds(now, -metarHistoryHours * 3_600), now);
  return Map.groupBy(records, ({ icao }) => icao);
};

const fieldOf = ({ known }: Station, report: Report | null) => {
  if (!known || known.airport.elevationFt === null) return null;
  const { latitudeDeg, longitudeDeg, elevationFt } = known.airport;
  return { latitudeDeg, longitudeDeg, elevationFt, qnhHpa: report?.qnhHpa || null };
};

const isoMinute = (ms: number): string => new Date(Math.round(ms / 60_000) * 60_000).toISOString();

const sunOf = ({ known }: Station, at: string): WeatherParts['sun'] => {
  if (!known) return null;
  const sun = sunOfDay(solarDayStart(Date.parse(at), known.airport), known.airport);
  if (sun.polar) return { sunrise: null, sunset: null, polar: sun.polar === 'day' ? 'DAY' : 'NIGHT' };
  return { sunrise: isoMinute(sun.sunriseMs), sunset: isoMinute(sun.sunsetMs), polar: null };
};

/** Builds the requested parts for each of these airports; the database is read once for all. */
export const partsFor = async (
  call: Call,
  asked: readonly Station[],
  { names, at }: WantedParts,
): Promise<(station: Station, ends: readonly ServedRunwayEnd[]) => WeatherParts> => {
  const [nearest, history] = await Promise.all([
    names.has('nearestStation') ? nearestOf(call, asked) : null,
    names.has('history') ? historyOf(call, asked) : null,
  ]);
  const snapshot = call.winds.current();
  return (station, ends) => {
    const { metar, taf, datis, icaos } = station;
    const report = metar && readReport(metar.raw, 'METAR');
    const field = fieldOf(station, report);
    const [present = station.icao] = icaos;
    return {
      ...(names.has('flightCategory') ? { flightCategory: report && categoryOf(report.main) } : {}),
      ...(names.has('forecast') ? { forecast: forecastAnswer(taf, ends, at) } : {}),
      ...(names.has('airAbove') ? { airAbove: field && airAbove(snapshot, field, Date.parse(at)) } : {}),
      ...(names.has('densityAltitude') ? { densityAltitude: densityAltitudeOf(field, report) } : {}),
      ...(names.has('runwaysInUse')
        ? { runwaysInUse: runwaysInUse(datis, ends, report?.main.wind ?? null) }
        : {}),
      ...(names.has('atis') ? { atis: atisFacts(datis) } : {}),
      ...(nearest ? { nearestStation: nearest.get(present) ?? null } : {}),
      ...(history ? { history: icaos.flatMap((icao) => history.get(icao) ?? []).map(shownReport) } : {}),
      ...(names.has('sun') ? { sun: sunOf(station, at) } : {}),
    };
  };
};
