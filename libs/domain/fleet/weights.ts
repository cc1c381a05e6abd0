/** Checks a profile's weights: stored in kilograms, and near those of the standard aircraft. */
import type { AircraftProfile } from '../aircraft/profile.ts';
import { kgPerLb } from '../users/units.ts';
import type { JsonObject } from './merge.ts';
import { isRecord } from '../record.ts';

const weightNames = ['oew', 'mzfw', 'mslw', 'mstow', 'msrw', 'performanceLimitedWeight'] as const;

/** Wider than the variants of any type, but narrower than a mix-up of pounds and kilograms (2.2 or 0.45). */
const leastShare = 0.6;
const mostShare = 1.5;

/** Performance limits are compared with the structural weight. */
const standardOf = (
  { weight }: AircraftProfile,
  name: (typeof weightNames)[number] | 'flexibleTOW',
): number =>
  name === 'flexibleTOW' ? weight.mstow : name === 'performanceLimitedWeight' ? weight.mslw : weight[name];

/** Weights that no variant of the standard aircraft has, as `path: reason`. */
export const implausibleWeights = (standard: AircraftProfile, { weight }: AircraftProfile): string[] => {
  const given = [
    ...weightNames.map((name) => ({ name, path: name as string, kg: weight[name] })),
    ...(weight.flexibleTOW ?? []).map((kg, i) => ({
      name: 'flexibleTOW' as const,
      path: `flexibleTOW.${i}`,
      kg,
    })),
  ];
  return given.flatMap(({ name, path, kg }) => {
    const usual = standardOf(standard, name);
    const [least, most] = [Math.ceil(usual * leastShare), Math.floor(usual * mostShare)];
    if (kg === null || (kg >= least && kg <= most)) return [];
    return [
      `weight.${path}: ${Math.round(kg)} kg is outside ${least} to ${most} kg, the range of the ${standard.model.variant}; weights are in kilograms unless units.weight is lb`,
    ];
  });
};

const inKilograms = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inKilograms);
  return typeof value === 'number' ? value * kgPerLb : value;
};

/** Converts the section `weight` of a profile from pounds to kilograms. */
export const withWeightsInKilograms = (data: JsonObject): JsonObject => {
  const { weight } = data;
  if (!isRecord(weight)) return data;
  const converted = Object.entries(weight).map(([name, value]) => [name, inKilograms(value)]);
  return { ...data, weight: Object.fromEntries(converted) as JsonObject };
};
