import type { AvailableAirport } from '#data/postgres/airports/available.ts';

/** Codes that IATA gives to a city with several airports; the airports by their own codes. */
const cities: ReadonlyMap<string, readonly string[]> = new Map([
  ['BJS', ['PEK', 'PKX']],
  ['BUE', ['EZE', 'AEP']],
  ['CHI', ['ORD', 'MDW']],
  ['JKT', ['CGK', 'HLP']],
  ['LON', ['LHR', 'LGW', 'STN', 'LTN', 'LCY', 'SEN']],
  ['MIL', ['MXP', 'LIN', 'BGY']],
  ['MOW', ['SVO', 'DME', 'VKO']],
  ['NYC', ['JFK', 'EWR', 'LGA']],
  ['OSA', ['KIX', 'ITM', 'UKB']],
  ['PAR', ['CDG', 'ORY', 'BVA']],
  ['REK', ['KEF', 'RKV']],
  ['RIO', ['GIG', 'SDU']],
  ['ROM', ['FCO', 'CIA']],
  ['SAO', ['GRU', 'CGH', 'VCP']],
  ['SEL', ['ICN', 'GMP']],
  ['STO', ['ARN', 'BMA', 'NYO', 'VST']],
  ['TCI', ['TFN', 'TFS']],
  ['TYO', ['HND', 'NRT']],
  ['WAS', ['IAD', 'DCA', 'BWI']],
  ['YMQ', ['YUL', 'YMX']],
  ['YTO', ['YYZ', 'YTZ']],
]);

export const isIataForm = (value: unknown): value is string =>
  typeof value === 'string' && /^\s*[A-Za-z]{3}\s*$/.test(value);

const withIata = (code: string, airports: readonly AvailableAirport[]): AvailableAirport[] =>
  (cities.get(code) ?? [code]).flatMap((iata) => airports.filter((airport) => airport.iata === iata));

/** The ICAO codes behind an IATA code of an airport or a city; null when none is known. */
export const iataHint = (sent: string, airports: readonly AvailableAirport[]): string | null => {
  const code = sent.trim().toUpperCase();
  const found = withIata(code, airports);
  const [only] = found;
  if (!only) return null;
  if (found.length === 1)
    return `${code} is the IATA code of ${only.icao} (${only.name}); send the ICAO code`;
  return `${code} is the IATA code of ${found.map(({ icao, iata }) => `${icao} (${iata})`).join(', ')}; send an ICAO code`;
};

/** For a search of points that found none: the airports with this ICAO or IATA code. */
export const airportsWithCode = (code: string, airports: readonly AvailableAirport[]): string | null => {
  const found = [...airports.filter(({ icao }) => icao === code), ...withIata(code, airports)];
  if (found.length === 0) return null;
  const named = found.map(({ icao, name }) => `${icao} (${name})`).join(', ');
  return `no navaid or waypoint is named ${code}, but ${found.length === 1 ? 'an airport has' : 'airports have'} this code: ${named}; ask the query airport`;
};
