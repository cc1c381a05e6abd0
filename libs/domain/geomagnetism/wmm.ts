import { rad } from '../geography/sphere.ts';
import coefficients from './wmm2025.json' with { type: 'json' };

interface FieldModel {
  name: string;
  /** Decimal year for which g and h hold. */
  epoch: number;
  validUntil: number;
  /** n, m, g, h (nT), and annual change of g and h (nT). */
  rows: readonly (readonly [number, number, number, number, number, number])[];
}

/**
 * World Magnetic Model 2025, released 2024-11-13 by NOAA NCEI and BGS, public domain (US government). Replace its file
 * when the next model is released; its numbers occur nowhere else.
 */
export const wmm2025: FieldModel = {
  ...coefficients,
  rows: coefficients.rows as unknown as FieldModel['rows'],
};

interface FieldPoint {
  /** Geodetic WGS-84 position. */
  latitudeDeg: number;
  longitudeDeg: number;
  altitudeKm: number;
  /** Decimal year, see `decimalYear`. */
  year: number;
}

const wgs84AKm = 6378.137;
const wgs84E2 = 0.00669437999014;
/** Reference radius of the model, not of the earth. */
const modelRadiusKm = 6371.2;

/** 2026-07-02T12:00Z is 2026.5; leap years count 366 days. */
export const decimalYear = (date: Date): number => {
  const year = date.getUTCFullYear();
  const start = Date.UTC(year, 0, 1);
  return year + (date.getTime() - start) / (Date.UTC(year + 1, 0, 1) - start);
};

/** The nearest year for which the model is valid. */
export const modelYear = (year: number): number =>
  Math.min(Math.max(year, wmm2025.epoch), wmm2025.validUntil);

const modelYears = 5;

/** False for a model (by name, `WMM2025`) that is not valid on this day. */
export const isModelCurrent = (name: string, at: Date): boolean => {
  const epoch = Number(/\d{4}/.exec(name)?.[0] ?? NaN);
  const year = at.getUTCFullYear();
  return year >= epoch && year < epoch + modelYears;
};

const at = (list: Float64Array, index: number): number => list[index] ?? 0;

/** Index of degree n, order m in the triangular tables. */
const index = (n: number, m: number): number => (n * (n + 1)) / 2 + m;

/** Schmidt semi-normalised Legendre functions of sin(latitude) and their derivatives by latitude. */
const legendre = (degree: number, sinLat: number, cosLat: number) => {
  const size = index(degree, degree) + 1;
  const p = new Float64Array(size);
  const dp = new Float64Array(size);
  p[0] = 1;
  for (let n = 1; n <= degree; n += 1) {
    for (let m = 0; m <= n; m += 1) {
      const here = index(n, m);
      if (n === m) {
        const scale = n === 1 ? 1 : Math.sqrt(1 - 1 / (2 * n));
        const before = index(n - 1, n - 1);
        p[here] = scale * cosLat * at(p, before);
        dp[here] = scale * (cosLat * at(dp, before) - sinLat * at(p, before));
      } else {
        const norm = Math.sqrt(n * n - m * m);
        const a = (2 * n - 1) / norm;
        const b = n - 1 > m ? Math.sqrt((n - 1) * (n - 1) - m * m) / norm : 0;
        const one = index(n - 1, m);
        const two = n >= 2 && m <= n - 2 ? index(n - 2, m) : -1;
        p[here] = a * sinLat * at(p, one) - b * at(p, two);
        dp[here] = a * (sinLat * at(dp, one) + cosLat * at(p, one)) - b * at(dp, two);
      }
    }
  }
  return { p, dp };
};

/**
 * Magnetic variation (declination) in degrees, east positive. Source: WMM technical report, spherical harmonics
 * of degree 12. Throws a RangeError outside the model's five years, so that an outdated model does not go
 * unnoticed.
 */
export const magneticVariation = (point: FieldPoint): number => {
  const model = wmm2025;
  if (!(point.year >= model.epoch && point.year <= model.validUntil)) {
    throw new RangeError(
      `${model.name} is valid from ${model.epoch} to ${model.validUntil}, not ${point.year}`,
    );
  }
  const latitude = point.latitudeDeg * rad;
  const longitude = point.longitudeDeg * rad;
  const sin = Math.sin(latitude);
  const cos = Math.cos(latitude);
  const normal = wgs84AKm / Math.sqrt(1 - wgs84E2 * sin * sin);
  const px = (normal + point.altitudeKm) * cos;
  const pz = (normal * (1 - wgs84E2) + point.altitudeKm) * sin;
  const radius = Math.hypot(px, pz);
  const geocentric = Math.asin(pz / radius);
  const sinGeo = Math.sin(geocentric);
  // The east component is singular at the poles, so it is computed 1e-10 rad off the axis, less than a millimetre.
  const cosGeo = Math.max(Math.cos(geocentric), 1e-10);

  const degree = model.rows.reduce((most, row) => Math.max(most, row[0]), 0);
  const { p, dp } = legendre(degree, sinGeo, cosGeo);
  const years = point.year - model.epoch;
  const ratio = modelRadiusKm / radius;
  let north = 0;
  let east = 0;
  let down = 0;
  for (const [n, m, g0, h0, dg, dh] of model.rows) {
    const g = g0 + years * dg;
    const h = h0 + years * dh;
    const cosM = Math.cos(m * longitude);
    const sinM = Math.sin(m * longitude);
    const attenuation = ratio ** (n + 2);
    const i = index(n, m);
    north -= attenuation * (g * cosM + h * sinM) * at(dp, i);
    east += (attenuation * m * (g * sinM - h * cosM) * at(p, i)) / cosGeo;
    down -= attenuation * (n + 1) * (g * cosM + h * sinM) * at(p, i);
  }
  const tilt = geocentric - latitude;
  const trueNorth = north * Math.cos(tilt) - down * Math.sin(tilt);
  return Math.atan2(east, trueNorth) / rad;
};
