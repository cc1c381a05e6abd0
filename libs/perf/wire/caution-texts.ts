import { landingUnitsSchema } from '#domain/performance/request.ts';
import type { Caution } from '../landing/types.ts';
import { cautionText } from './messages.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';

/** Lengths and weights of cautions: the parameter in SI, the one for the text, and the rounding of the answer. */
const quantities: readonly [si: string, name: string, kind: 'distance' | 'weight', round: keyof Rounding][] =
  [
    ['distanceM', 'distance', 'distance', 'distanceUp'],
    ['ldaM', 'lda', 'distance', 'distanceDown'],
    ['marginM', 'margin', 'distance', 'distanceDown'],
    ['lengthM', 'length', 'distance', 'distanceDown'],
    ['minimumM', 'minimum', 'distance', 'distanceUp'],
    ['weightKg', 'weight', 'weight', 'weightNearest'],
    ['limitKg', 'limit', 'weight', 'weightDown'],
  ];

interface Rounding {
  distanceUp: (m: number) => number;
  distanceDown: (m: number) => number;
  weightDown: (kg: number) => number;
  weightNearest: (kg: number) => number;
}

/** Cautions with lengths and weights in the user's units, rounded as in the answer. */
export const cautionTexts = (cautions: readonly Caution[], convert: Converter): string[] => {
  const rounding: Rounding = { ...convert, weightNearest: (kg) => Math.round(convert.toWeight(kg)) };
  return cautions.map((caution) => {
    const params: Record<string, string | number> = { ...caution.params };
    for (const [si, name, kind, round] of quantities) {
      const value = params[si];
      if (typeof value !== 'number') continue;
      const unit = kind === 'distance' ? convert.distanceUnit : convert.weightUnit;
      params[name] = `${rounding[round](value)} ${unit}`;
    }
    return cautionText({ ...caution, params });
  });
};

/** Conversions of the command-line calculator, whose units are metres and kilograms. */
export const metric = converter(landingUnitsSchema.parse({ distance: 'meter' }));
