import type { FileStorage } from '#domain/ports.ts';
import { parseCof } from '#domain/geomagnetism/cof.ts';
import { wmm2025 } from '#domain/geomagnetism/coefficients.ts';
import type { FieldModel } from '#domain/geomagnetism/coefficients.ts';
import { decimalYear, magneticVariation } from '#domain/geomagnetism/wmm.ts';
import type { AirportVariation, MagneticTarget } from '#store/postgres/airports/derived.ts';

const feetToKm = 0.0003048;

/** The built-in model, or the one in a given `.COF` file. Throws SourceError. */
export const modelOf = (cof: string | null): FieldModel => (cof === null ? wmm2025 : parseCof(cof));

/**
 * Magnetic variation of each airport at field elevation on this day. Throws RangeError outside the model's validity.
 */
export const airportVariations = (
  airports: readonly MagneticTarget[],
  at: Date,
  model: FieldModel = wmm2025,
): AirportVariation[] => {
  const year = decimalYear(at);
  return airports.map(({ icao, latitudeDeg, longitudeDeg, elevationFt }) => {
    const point = { latitudeDeg, longitudeDeg, altitudeKm: (elevationFt ?? 0) * feetToKm, year };
    return { icao, variationDeg: Math.round(magneticVariation(point, model) * 100) / 100 };
  });
};

/** Storage key of the model ingested by an operator. */
export const keptModelKey = 'feeds/magvar/model.COF';

/** The ingested model, if any, and the built-in one. Throws SourceError. */
export const fieldModels = async (storage: FileStorage): Promise<FieldModel[]> => {
  const kept = await storage.get(keptModelKey);
  return kept === null ? [wmm2025] : [modelOf(Buffer.from(kept).toString('latin1')), wmm2025];
};

/** Days until the model expires; below 60 the operator should get the next one. */
export const modelDaysLeft = (at: Date, model: FieldModel = wmm2025): number =>
  Math.floor((Date.UTC(model.validUntil, 0, 1) - at.getTime()) / 86_400_000);
