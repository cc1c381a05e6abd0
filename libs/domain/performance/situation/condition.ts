/** Runway conditions in the form of `performance`: by code in flight, by described surface with its depth at dispatch. */
import { z } from 'zod';
import { enrouteByCode } from '../../weather/condition-names.ts';
import type { Code, DispatchCondition } from '../../weather/condition-names.ts';
import type { RunwayCondition } from '../../weather/runway-condition.ts';

export const conditionFormSchema = z.strictObject({
  state: z.string().nullable().describe('null: closed by snow, no condition to calculate with'),
  depth: z.number().describe('millimetres'),
});
export type ConditionForm = z.output<typeof conditionFormSchema>;

/** What is known of a surface; the state is null on a runway closed by snow. */
export interface KnownSurface {
  code: Code;
  dispatch: DispatchCondition;
  depthMm: number | null;
}

export const surfaceOf = ({ code, landingDispatch, depthMm }: RunwayCondition): KnownSurface | null =>
  code === null || landingDispatch === null ? null : { code, dispatch: landingDispatch, depthMm };

const deposits: ReadonlySet<DispatchCondition> = new Set(['STANDING_WATER', 'SLUSH', 'DRY_SNOW', 'WET_SNOW']);
/** Up to here a deposit brakes like a wet runway. */
const thinMm = 3;
/** Of a deposit of unknown depth: deeper fluid brakes a landing and hinders a takeoff. */
const assumedMm = { landing: 4, takeoff: 13 };

/** Depth to calculate with, mm, and whether it is assumed. */
export const depthOf = (
  { code, dispatch, depthMm }: KnownSurface,
  use: 'landing' | 'takeoff',
): { depthMm: number; isAssumed: boolean } => {
  if (!deposits.has(dispatch)) return { depthMm: 0, isAssumed: false };
  if (depthMm !== null) return { depthMm, isAssumed: false };
  return { depthMm: code === 5 ? thinMm : assumedMm[use], isAssumed: true };
};

export const dispatchForm = (surface: KnownSurface | null, use: 'landing' | 'takeoff'): ConditionForm => ({
  state: surface?.dispatch ?? null,
  depth: surface ? depthOf(surface, use).depthMm : 0,
});

export const enrouteForm = (surface: KnownSurface | null): ConditionForm => ({
  state: surface ? enrouteByCode[surface.code] : null,
  depth: 0,
});

const thickCodes: Partial<Record<string, Code>> = { STANDING_WATER: 2, SLUSH: 2, DRY_SNOW: 3, WET_SNOW: 3 };
const bareCodes: Partial<Record<string, Code>> = { DRY: 6, WET: 5, COMPACTED_SNOW: 3, ICE: 1 };

/** The code of a condition as `performance` takes it, `MEDIUM` or `SLUSH` with a depth in mm; null for another state. */
export const codeOfState = (state: string, depthMm: number): Code | null => {
  const code = Object.entries(enrouteByCode).find((entry) => entry.includes(state))?.[0];
  if (code !== undefined) return Number(code) as Code;
  const thick = thickCodes[state];
  return thick === undefined ? (bareCodes[state] ?? null) : depthMm <= thinMm ? 5 : thick;
};

/** Surfaces as plans name them, the more specific words first. */
const words: readonly (readonly [RegExp, Code, DispatchCondition])[] = [
  [/\bmedium\b.*\bpoor\b|\bpoor\b.*\bmedium\b/, 2, 'ICE'],
  [/\b(?:nil|ice|icy|poor)\b/, 1, 'ICE'],
  [/\bstanding\b|\bflooded\b/, 2, 'STANDING_WATER'],
  [/\bslush\b/, 2, 'SLUSH'],
  [/\bcompact/, 3, 'COMPACTED_SNOW'],
  [/\bwet\b.*\bsnow\b/, 3, 'WET_SNOW'],
  [/\bsnow\b/, 3, 'DRY_SNOW'],
  [/\bslippery\b|\bcontam/, 2, 'STANDING_WATER'],
  [/\bgood\b.*\bmedium\b|\bmedium\b.*\bgood\b/, 4, 'COMPACTED_SNOW'],
  [/\bmedium\b/, 3, 'COMPACTED_SNOW'],
  [/\bwet\b|\bdamp\b|\bgood\b|^w$/, 5, 'WET'],
  [/\bdry\b|^d$/, 6, 'DRY'],
];
const byCode: Readonly<Record<Code, DispatchCondition>> = {
  6: 'DRY',
  5: 'WET',
  4: 'COMPACTED_SNOW',
  3: 'COMPACTED_SNOW',
  2: 'ICE',
  1: 'ICE',
};

/** The surface that a plan names, `wet` or a condition code; null for none, and for words that are not known. */
export const surfaceOfWords = (text: string | null): KnownSurface | null => {
  const plain = (text ?? '').toLowerCase().replaceAll(/[_-]+/g, ' ').trim();
  const digit = /^(?:rwycc )?([1-6])(?:\/[1-6]){0,2}$/.exec(plain)
    ? Math.min(...[...plain.matchAll(/[1-6]/g)].map(Number))
    : null;
  if (digit !== null) return { code: digit as Code, dispatch: byCode[digit as Code], depthMm: null };
  const found = words.find(([pattern]) => pattern.test(plain));
  return found ? { code: found[1], dispatch: found[2], depthMm: null } : null;
};
