import { createHash } from 'node:crypto';
import type { RawAirport } from '#domain/airports/build.ts';

/** Weather of a station at a half hour: reproducible, and changing slowly over the day. */
export interface SimulatedWeather {
  icao: string;
  observedAt: Date;
  latitudeDeg: number;
  longitudeDeg: number;
  elevationFt: number;
  windDirectionDeg: number;
  windKt: number;
  gustKt: number | null;
  visibilityM: number;
  phenomenon: string | null;
  /** Amount and base in hundreds of feet; empty: clear. */
  clouds: { amount: 'FEW' | 'SCT' | 'BKN' | 'OVC'; baseHundredFt: number }[];
  temperatureC: number;
  dewpointC: number;
  pressureHpa: number;
}

/** Pseudorandom numbers in [0, 1] that depend only on the words. */
const numbersOf = (...words: (string | number)[]): ((index: number) => number) => {
  const bytes = createHash('sha256').update(words.join('|')).digest();
  return (index) => bytes.readUInt16BE((index * 2) % 32) / 65_535;
};

const halfHourMs = 1_800_000;

/** Time of a station's last routine report: half-hourly at station-specific minutes, so that some are always fresh. */
export const reportTime = (icao: string, now: Date): Date => {
  const offsetMs = Math.floor(numbersOf(icao)(0) * 30) * 60_000;
  return new Date(Math.floor((now.getTime() - offsetMs) / halfHourMs) * halfHourMs + offsetMs);
};

const amounts = ['FEW', 'SCT', 'BKN', 'OVC'] as const;

export const weatherAt = (airport: RawAirport, observedAt: Date): SimulatedWeather => {
  const day = numbersOf(airport.icao, observedAt.toISOString().slice(0, 10));
  const hour = numbersOf(airport.icao, observedAt.toISOString().slice(0, 16));
  const elevationFt = airport.elevationFt ?? 0;
  const yearAngle = ((observedAt.getTime() / 86_400_000 - 105) / 365.25) * 2 * Math.PI;
  const season = 10 * Math.sin(yearAngle) * (airport.latitudeDeg / 45);
  const temperatureC = Math.round(
    28 - Math.abs(airport.latitudeDeg) * 0.45 + season - elevationFt * 0.002 + hour(0) * 4 - 2,
  );
  const windKt = hour(1) < 0.06 ? 0 : Math.round(3 + day(1) * 14 + hour(2) * 4);
  const isWet = day(3) > 0.75;
  const isFoggy = !isWet && day(4) > 0.95;
  const isFreezing = temperatureC <= 0;
  const wet = isFreezing ? '-SN' : day(5) > 0.6 ? 'RA' : '-RA';
  const layers = isWet ? 2 : Math.floor(day(6) * 3);
  return {
    icao: airport.icao,
    observedAt,
    latitudeDeg: airport.latitudeDeg,
    longitudeDeg: airport.longitudeDeg,
    elevationFt,
    windDirectionDeg: windKt === 0 ? 0 : (Math.round((day(2) * 350 + hour(3) * 20) / 10) * 10) % 360 || 360,
    windKt,
    gustKt: windKt >= 13 && hour(4) > 0.4 ? windKt + 10 + Math.round(hour(5) * 4) : null,
    visibilityM: isFoggy ? 800 : isWet ? 4_000 + Math.round(hour(6) * 4) * 1_000 : 9_999,
    phenomenon: isFoggy ? (isFreezing ? 'FZFG' : 'FG') : isWet ? wet : null,
    clouds: Array.from({ length: layers }, (_, i) => ({
      amount: amounts[Math.min(i + (isWet ? 2 : 0), 3)] ?? 'FEW',
      baseHundredFt: (isWet ? 12 : 30) + i * 25 + Math.round(day(7 + i) * 10),
    })),
    temperatureC,
    dewpointC: temperatureC - (isWet || isFoggy ? 1 : 4 + Math.round(day(8) * 8)),
    pressureHpa: Math.round(995 + day(9) * 35),
  };
};

export const two = (value: number): string => String(Math.abs(Math.round(value))).padStart(2, '0');
const three = (value: number): string => String(value).padStart(3, '0');
const signed = (value: number): string => `${value < 0 ? 'M' : ''}${two(value)}`;

export const dayTime = (date: Date): string =>
  `${two(date.getUTCDate())}${two(date.getUTCHours())}${two(date.getUTCMinutes())}`;

/** `2611292030`. */
export const notamTime = (date: Date): string =>
  `${two(date.getUTCFullYear() % 100)}${two(date.getUTCMonth() + 1)}${dayTime(date)}`;

/** `5130` for 51.5 degrees north or south. */
export const degreesMinutes = (value: number, digits: number): string => {
  const minutes = Math.round(Math.abs(value) * 60);
  return `${String(Math.floor(minutes / 60)).padStart(digits, '0')}${two(minutes % 60)}`;
};

const isAmerican = (icao: string): boolean => /^(?:K|PA|PH|PG|C|TJ)/.test(icao);

const windGroup = (w: SimulatedWeather): string =>
  `${w.windKt === 0 ? '000' : three(w.windDirectionDeg)}${two(w.windKt)}${w.gustKt === null ? '' : `G${two(w.gustKt)}`}KT`;

export const statuteMiles = (metres: number): string => {
  if (metres >= 9_999) return '10';
  if (metres < 1_000) return '1/2';
  return String(Math.max(1, Math.round(metres / 1_609)));
};

const cloudGroups = (w: SimulatedWeather): string[] =>
  w.clouds.length === 0
    ? [isAmerican(w.icao) ? 'CLR' : 'NSC']
    : w.clouds.map(({ amount, baseHundredFt }) => `${amount}${three(baseHundredFt)}`);

/** The report in its region's style: miles and inches in North America, metres and hPa elsewhere. */
export const metarText = (w: SimulatedWeather): string => {
  const american = isAmerican(w.icao);
  const inHg = Math.round(w.pressureHpa * 2.953)
    .toString()
    .padStart(4, '0');
  return [
    'METAR',
    w.icao,
    `${dayTime(w.observedAt)}Z`,
    ...(american ? ['AUTO'] : []),
    windGroup(w),
    american ? `${statuteMiles(w.visibilityM)}SM` : String(w.visibilityM).padStart(4, '0'),
    ...(w.phenomenon === null ? [] : [w.phenomenon]),
    ...cloudGroups(w),
    `${signed(w.temperatureC)}/${signed(w.dewpointC)}`,
    american ? `A${inHg}` : `Q${String(w.pressureHpa).padStart(4, '0')}`,
    ...(american ? ['RMK', 'AO2'] : ['NOSIG']),
  ].join(' ');
};

export interface SimulatedTaf {
  text: string;
  issuedAt: Date;
  validFrom: Date;
  validTo: Date;
}

const sixHoursMs = 6 * 3_600_000;

/** Issued 40 minutes before 00, 06, 12 and 18 UTC, valid for a day. */
export const tafAt = (airport: RawAirport, now: Date): SimulatedTaf => {
  const validFrom = new Date(Math.floor((now.getTime() + 40 * 60_000) / sixHoursMs) * sixHoursMs);
  const issuedAt = new Date(validFrom.getTime() - 40 * 60_000);
  const validTo = new Date(validFrom.getTime() + 24 * 3_600_000);
  const first = weatherAt(airport, validFrom);
  const later = weatherAt(airport, new Date(validFrom.getTime() + 2 * sixHoursMs));
  const visibility = (w: SimulatedWeather) =>
    isAmerican(w.icao)
      ? w.visibilityM >= 9_999
        ? 'P6SM'
        : `${statuteMiles(w.visibilityM)}SM`
      : String(w.visibilityM);
  const group = (w: SimulatedWeather) =>
    [
      windGroup(w),
      visibility(w),
      ...(w.phenomenon === null ? [] : [w.phenomenon]),
      ...cloudGroups(w).map((c) => (c === 'CLR' ? 'SKC' : c)),
    ].join(' ');
  const changeAt = new Date(validFrom.getTime() + 2 * sixHoursMs);
  const dayHour = (date: Date) => `${two(date.getUTCDate())}${two(date.getUTCHours())}`;
  const text = `TAF ${airport.icao} ${dayTime(issuedAt)}Z ${dayHour(validFrom)}/${dayHour(validTo)} ${group(first)} FM${dayTime(changeAt)} ${group(later)}`;
  return { text, issuedAt, validFrom, validTo };
};
