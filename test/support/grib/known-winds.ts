/**
 * A forecast whose wind is known everywhere without interpolation: written as GRIB on a coarse grid, with the values that
 * a reader has to find between its points. A small replacement for the large files whose winds another program has read.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeHour } from './gfs.ts';

const levelsHpa = [
  100, 150, 200, 250, 300, 350, 400, 450, 500, 550, 600, 650, 700, 750, 800, 850, 900, 925, 950, 975, 1_000,
];
const stepDeg = 30;
const cycleMs = Date.UTC(2026, 8, 16, 0);
const stepsHours = [0, 6, 12, 18, 24, 30, 36, 42, 48];

/** Linear between the meridians of the grid, and continuous across the date line. */
const triangle = (lonDeg: number): number => Math.abs((((lonDeg % 360) + 360) % 360) - 180) / 180;

/**
 * u and v in m/s, T in K: linear in latitude, in time and in the logarithm of pressure, and between two meridians, so
 * that interpolation in each of them is exact.
 */
const valueAt = (
  field: 0 | 1 | 2,
  pressureHpa: number,
  latDeg: number,
  lonDeg: number,
  hour: number,
): number => {
  const height = Math.log(pressureHpa / 100);
  const wave = triangle(lonDeg);
  if (field === 0) return 30 - 8 * height + latDeg / 6 + hour / 8 + 10 * wave;
  if (field === 1) return -12 + 5 * height - latDeg / 9 + hour / 10 + 14 * wave;
  return 205 + 36 * height - latDeg / 10 + hour / 24 + 6 * wave;
};

/** Pressure of a flight level in the ICAO standard atmosphere, in hPa. */
const pressureHpa = (flightLevel: number): number => {
  const metres = flightLevel * 30.48;
  if (metres <= 11_000) return 1013.25 * (1 - (0.006_5 * metres) / 288.15) ** 5.255_88;
  return 226.321 * Math.exp(-(metres - 11_000) / 6341.62);
};

const windOf = (pressure: number, latDeg: number, lonDeg: number, hour: number) => {
  const [u, v, kelvin] = ([0, 1, 2] as const).map((field) => valueAt(field, pressure, latDeg, lonDeg, hour));
  if (u === undefined || v === undefined || kelvin === undefined) throw new Error('three fields');
  const from = (Math.atan2(-u, -v) * 180) / Math.PI;
  return {
    u,
    v,
    dirTrue: (from + 360) % 360,
    speedKt: Math.hypot(u, v) / 0.514_444_444,
    tempC: kelvin - 273.15,
  };
};

const around = [
  ['plus4000', 40],
  ['plus2000', 20],
  ['cruise', 0],
  ['minus2000', -20],
  ['minus4000', -40],
] as const;

/**
 * The hour of the cycle that applies: its first hour before the cycle, its last hour until half a step after it, and null
 * later.
 */
const hourIn = (hours: number): number | null => (hours > 51 ? null : Math.min(48, Math.max(0, hours)));

const waypoint = (latitude: number, longitude: number, cruiseLevel: number, hours: number) => {
  const hour = hourIn(hours);
  const winds = around.map(([key, offset]) => {
    const flightLevel = cruiseLevel + offset;
    const pressure = pressureHpa(flightLevel);
    const isInside = hour !== null && pressure >= 100 && pressure <= 1_000;
    const timeLinear = isInside ? windOf(pressure, latitude, longitude, hour) : null;
    return [key, { flightLevel, altitude: flightLevel * 100, timeLinear }] as const;
  });
  return {
    latitude,
    longitude,
    cruiseLevel,
    eto: new Date(cycleMs + hours * 3_600_000).toISOString(),
    nearestForecastHour: hour === null ? null : Math.floor((hour + 3) / 6) * 6,
    note: 'known wind',
    winds: Object.fromEntries(winds),
  };
};

/** Places in and between the points of the grid, at the poles, the date line and Greenwich, at all hours. */
const waypoints = () => {
  const places = [
    [50.04, 8.56],
    [-90, 0],
    [90, 0],
    [0, 0],
    [30, 150],
    [12.3, 180],
    [12.3, -180],
    [51.47, -0.46],
    [-33.95, 151.18],
    [64.1, -21.9],
    [-89.9, 179.9],
    [40.64, -73.78],
  ] as const;
  const inside = places.flatMap(([lat, lon], i) =>
    Array.from({ length: 10 }, (_, k) => waypoint(lat, lon, 90 + ((i * 10 + k) % 8) * 40, k * 5.25)),
  );
  const outside = [
    waypoint(50, 8, 340, 52),
    waypoint(50, 8, 340, 50.5),
    waypoint(50, 8, 340, -2),
    waypoint(50, 8, 0, 6),
    waypoint(50, 8, 20, 9),
    waypoint(50, 8, 531, 15),
    waypoint(50, 8, 560, 15),
  ];
  return [...inside, ...outside];
};

/** Writes the cycle into a new temporary folder, the caller's to delete, and returns it with its waypoints. */
export const writeKnownWinds = () => {
  const folder = mkdtempSync(join(tmpdir(), 'efb-winds-'));
  for (const hour of stepsHours) {
    const { grib } = makeHour(
      { cycleMs, levelsHpa, stepDeg, packing: { template: 3, decimals: 3 }, value: valueAt },
      hour,
    );
    writeFileSync(join(folder, `known-f${String(hour).padStart(3, '0')}.grib2`), grib);
  }
  // One hour of another grid, which is not the cycle's.
  const other = makeHour({ cycleMs, levelsHpa, stepDeg: 45 }, 6);
  writeFileSync(join(folder, 'other-f006.grib2'), other.grib);
  return { folder, waypoints: waypoints() };
};
