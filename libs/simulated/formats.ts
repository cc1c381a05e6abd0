import type { RawAirport } from '#domain/airports/build.ts';
import { metarText, reportTime, statuteMiles, tafAt, weatherAt } from './weather.ts';

/** Simulated content fault, for tests. */
export type ContentFault = 'empty' | 'half' | 'future' | 'schema' | null;

const addHours = (date: Date, hours: number): Date => new Date(date.getTime() + hours * 3_600_000);

/** The items left by a fault. */
export const some = <T>(items: readonly T[], fault: ContentFault): readonly T[] => {
  if (fault === 'empty') return [];
  return fault === 'half' ? items.slice(0, Math.floor(items.length * 0.4)) : items;
};

const envelope = (
  kind: 'metar' | 'taf',
  records: readonly string[],
  now: Date,
  fault: ContentFault,
): string => {
  const version = fault === 'schema' ? '3.0' : '2.0';
  return (
    '<?xml version="1.0" encoding="UTF-8"?><response xmlns:xsd="http://www.w3.org/2001/XMLSchema" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" ' +
    `xsi:noNamespaceSchemaLocation="https://aviationweather.gov/data/schema/${kind}2_0.xsd" version="${version}">` +
    `<request_index>${Math.floor(now.getTime() / 1000)}</request_index><data_source name="${kind}"/>` +
    '<request type="retrieve"/><errors/><warnings/><time_taken_ms>0</time_taken_ms>' +
    `<data num_results="${records.length}">${records.join('')}</data></response>`
  );
};

/** `metars.cache.xml`, schema 2.0. */
export const awcMetars = (stations: readonly RawAirport[], now: Date, fault: ContentFault): string => {
  const ahead = fault === 'future' ? 3 : 0;
  const records = some(stations, fault).map((station) => {
    const observedAt = addHours(reportTime(station.icao, now), ahead);
    const w = weatherAt(station, observedAt);
    const sky = w.clouds
      .map((c) => `<sky_condition sky_cover="${c.amount}" cloud_base_ft_agl="${c.baseHundredFt * 100}"/>`)
      .join('');
    return (
      `<METAR><raw_text>${metarText(w)}</raw_text><station_id>${w.icao}</station_id>` +
      `<observation_time>${observedAt.toISOString()}</observation_time>` +
      `<latitude>${w.latitudeDeg.toFixed(4)}</latitude><longitude>${w.longitudeDeg.toFixed(4)}</longitude>` +
      `<temp_c>${w.temperatureC}</temp_c><dewpoint_c>${w.dewpointC}</dewpoint_c>` +
      `<wind_dir_degrees>${w.windDirectionDeg}</wind_dir_degrees><wind_speed_kt>${w.windKt}</wind_speed_kt>` +
      (w.gustKt === null ? '' : `<wind_gust_kt>${w.gustKt}</wind_gust_kt>`) +
      `<visibility_statute_mi>${w.visibilityM >= 9_999 ? '10+' : statuteMiles(w.visibilityM)}</visibility_statute_mi>` +
      `<altim_in_hg>${(w.pressureHpa * 0.02953).toFixed(2)}</altim_in_hg>` +
      (w.phenomenon === null ? '' : `<wx_string>${w.phenomenon}</wx_string>`) +
      (sky === '' ? '<sky_condition sky_cover="CLR"/>' : sky) +
      `<metar_type>METAR</metar_type><elevation_m>${Math.round(w.elevationFt * 0.3048)}</elevation_m></METAR>`
    );
  });
  return envelope('metar', records, now, fault);
};

/** `tafs.cache.xml`, schema 2.0. Forecast elements repeat the text, so only the first period is written out. */
export const awcTafs = (stations: readonly RawAirport[], now: Date, fault: ContentFault): string => {
  const at = fault === 'future' ? addHours(now, 12) : now;
  const records = some(stations, fault).map((station) => {
    const taf = tafAt(station, at);
    return (
      `<TAF><raw_text><![CDATA[${taf.text}]]></raw_text><station_id>${station.icao}</station_id>` +
      `<issue_time>${taf.issuedAt.toISOString()}</issue_time><bulletin_time>${taf.issuedAt.toISOString()}</bulletin_time>` +
      `<valid_time_from>${taf.validFrom.toISOString()}</valid_time_from><valid_time_to>${taf.validTo.toISOString()}</valid_time_to>` +
      `<latitude>${station.latitudeDeg.toFixed(4)}</latitude><longitude>${station.longitudeDeg.toFixed(4)}</longitude>` +
      `<forecast><fcst_time_from>${taf.validFrom.toISOString()}</fcst_time_from>` +
      `<fcst_time_to>${taf.validTo.toISOString()}</fcst_time_to></forecast></TAF>`
    );
  });
  return envelope('taf', records, now, fault);
};

type Cell = string | number | null;

const cellText = (value: Cell): string => {
  if (value === null) return '';
  return typeof value === 'number' ? String(value) : `"${value.replaceAll('"', '""')}"`;
};

/** With a header, which is the names of the first row also where a fault leaves none. */
const csv = (rows: readonly Readonly<Record<string, Cell>>[], fault: ContentFault): string =>
  [Object.keys(rows[0] ?? {}), ...some(rows, fault).map((row) => Object.values(row))]
    .map((cells) => `${cells.map(cellText).join(',')}\n`)
    .join('');

const types: Readonly<Record<string, string>> = {
  large: 'large_airport',
  medium: 'medium_airport',
  small: 'small_airport',
  heliport: 'heliport',
  seaplane: 'seaplane_base',
  other: 'small_airport',
};

/** OurAirports `airports.csv`. */
export const airportsCsv = (airports: readonly RawAirport[], fault: ContentFault): string =>
  csv(
    airports.map((a, i) => ({
      id: i + 1,
      ident: a.icao,
      [fault === 'schema' ? 'kind' : 'type']: types[a.type] ?? 'small_airport',
      name: a.name,
      latitude_deg: a.latitudeDeg,
      longitude_deg: a.longitudeDeg,
      elevation_ft: a.elevationFt,
      continent: null,
      iso_country: a.country,
      municipality: a.municipality,
      icao_code: a.icao,
      iata_code: a.iata,
      gps_code: a.icao,
      local_code: null,
    })),
    fault,
  );

const runwayEnd = (side: 'le' | 'he', end: RawAirport['runways'][number]['low']) => ({
  [`${side}_ident`]: end.ident,
  [`${side}_latitude_deg`]: end.latitudeDeg,
  [`${side}_longitude_deg`]: end.longitudeDeg,
  [`${side}_elevation_ft`]: end.elevationFt,
  [`${side}_heading_degT`]: end.headingTrueDeg,
  [`${side}_displaced_threshold_ft`]: end.displacedThresholdFt,
});

/** OurAirports `runways.csv`; `airport_ref` is the row number in `airportsCsv`. */
export const runwaysCsv = (airports: readonly RawAirport[], fault: ContentFault): string =>
  csv(
    airports.flatMap((airport, i) =>
      airport.runways.map((runway, j) => ({
        id: i * 100 + j,
        airport_ref: i + 1,
        airport_ident: airport.icao,
        length_ft: runway.lengthFt,
        width_ft: runway.widthFt,
        surface: runway.surfaceText,
        lighted: runway.isLighted ? 1 : 0,
        closed: runway.isClosed ? 1 : 0,
        ...runwayEnd('le', runway.low),
        ...runwayEnd('he', runway.high),
      })),
    ),
    fault,
  );
