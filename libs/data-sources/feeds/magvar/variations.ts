import { decimalYear, magneticVariation, wmm2025 } from '#domain/geomagnetism/wmm.ts';
import { dayMs } from '#domain/time.ts';
import type { AirportVariation, MagneticTarget } from '#store/postgres/airports/derived.ts';

const feetToKm = 0.0003048;

/**
 * Magnetic variation of each airport at field elevation on this day. Throws RangeError outside the model's validity.
 */
export const airportVariations = (airports: readonly MagneticTarget[], at: Date): AirportVariation[] => {
  const year = decimalYear(at);
  return airports.map(({ icao, latitudeDeg, longitudeDeg, elevationFt }) => {
    const point = { latitudeDeg, longitudeDeg, altitudeKm: (elevationFt ?? 0) * feetToKm, year };
    return { icao, variationDeg: Math.round(magneticVariation(point) * 100) / 100 };
  });
};

/** Days until the model expires; the next one comes with a release. */
export const modelDaysLeft = (at: Date): number =>
  Math.floor((Date.UTC(wmm2025.validUntil, 0, 1) - at.getTime()) / dayMs);
