import { calcCaseSchema } from '#domain/performance/calc.ts';
import type { CalcCase } from '#domain/performance/calc.ts';
import type { Point } from './types.ts';

type DeepPartial = Record<string, unknown>;

/** A case in flight: sea level, standard day, long runway, unless specified otherwise. */
export const inflightCase = (
  weightKg: number,
  rwycc: number,
  configuration: DeepPartial,
  weather: DeepPartial = {},
  runway: DeepPartial = {},
): CalcCase =>
  calcCaseSchema.parse({
    mode: 'inflight',
    runway: { ldaM: 9000, ...runway },
    weather,
    runwayCondition: { rwycc },
    configuration: { autobrake: 'ALL', ...configuration },
    weightKg,
  });

/** A dispatch case on a runway of a given length. */
export const dispatchCase = (
  ldaM: number,
  state: string | { state: string; depthMm: number },
  configuration: DeepPartial,
  weather: DeepPartial = {},
  runway: DeepPartial = {},
): CalcCase =>
  calcCaseSchema.parse({
    mode: 'dispatch',
    runway: { ldaM, ...runway },
    weather,
    runwayCondition: typeof state === 'string' ? { state } : state,
    configuration,
  });

/** ISA temperature (C) at an altitude (ft). */
export const isaC = (feet: number): number => 15 - 0.0019812 * feet;

/** Points of one case, one per brake mode with a number; values in metres. */
export const modePoints = (
  group: string,
  name: string,
  input: CalcCase,
  modes: readonly string[],
  metres: readonly (number | null)[],
  weight = 1,
): Point[] =>
  modes.flatMap((mode, i) => {
    const expected = metres[i];
    if (expected === null || expected === undefined) return [];
    return [
      {
        group,
        name: `${name} ${mode}`,
        input,
        path: `modes.${mode}.actualDistanceM`,
        expected,
        error: 'percent' as const,
        weight,
      },
    ];
  });
