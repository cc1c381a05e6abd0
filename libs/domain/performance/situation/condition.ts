/** Runway conditions in the form of `performance`: by code in flight, by contaminant and depth at dispatch. */
import { z } from 'zod';
import { codeIn, standardDispatchConditions } from '../../aircraft/rcam.ts';
import { dry, enrouteOf, surfaceByCode } from '../../weather/condition-names.ts';
import type {
  Code,
  DispatchCondition,
  KnownCondition,
  RunwayCondition,
} from '../../weather/condition-names.ts';
import { codeOfBraking } from '../../weather/condition-of-state.ts';

export const conditionFormSchema = z.strictObject({
  state: z
    .string()
    .nullable()
    .describe('null: closed by snow, or NIL braking action; no calculation is possible'),
  depth: z.number().describe('millimetres'),
});
export type ConditionForm = z.output<typeof conditionFormSchema>;

/** Null if the runway is closed by snow or braking is NIL. */
export const surfaceOf = ({ code, dispatch, ...rest }: RunwayCondition): KnownCondition | null =>
  code === null || dispatch === null ? null : { ...rest, code, dispatch };

/** `arrival`: an in-flight landing, which uses the code; `landing` (at dispatch) and `takeoff` use the contaminant. */
export type ConditionUse = 'arrival' | 'landing' | 'takeoff';
type DispatchUse = Exclude<ConditionUse, 'arrival'>;

const dispatchConditions = standardDispatchConditions();

/** For a deposit of unknown depth: deeper fluid slows a landing and hinders a takeoff. */
const assumedMm = { landing: 4, takeoff: 13 };
/**
 * From these depths on, the drag of a deposit can cost a takeoff more than the poor braking of ice. The deposit is then
 * kept, with the braking of the reported code.
 */
const dragMm: Partial<Record<DispatchCondition, number>> = {
  STANDING_WATER: 3,
  SLUSH: 3,
  WET_SNOW: 15,
  DRY_SNOW: 60,
};

interface CalculatedSurface {
  state: DispatchCondition;
  depthMm: number;
  isDepthAssumed: boolean;
}

const describedSurface = (
  { code, dispatch, depthMm }: KnownCondition,
  use: DispatchUse,
): CalculatedSurface => {
  const row = dispatchConditions.find(({ value }) => value === dispatch);
  if (!row?.requiresDepth) return { state: dispatch, depthMm: 0, isDepthAssumed: false };
  // A METAR reports less than a millimetre as 0.
  if (depthMm !== null)
    return { state: dispatch, depthMm: Math.max(depthMm, row.minDepthMm), isDepthAssumed: false };
  const thinMm = row.thin?.upToMm ?? 0;
  return { state: dispatch, depthMm: code === 5 ? thinMm : assumedMm[use], isDepthAssumed: true };
};

/**
 * The condition for a calculation: the reported contaminant, or a bare surface of the reported code if that is worse.
 */
export const calculatedSurface = (surface: KnownCondition, use: DispatchUse): CalculatedSurface => {
  const { code, isCodeReported } = surface;
  const described = describedSurface(surface, use);
  const { state, depthMm } = described;
  const isBetter = isCodeReported && (codeIn(dispatchConditions, state, depthMm) ?? 0) > code;
  if (!isBetter || (use === 'takeoff' && depthMm > (dragMm[state] ?? Infinity))) return described;
  return { state: surfaceByCode[code], depthMm: 0, isDepthAssumed: false };
};

export const dispatchForm = (surface: KnownCondition | null, use: DispatchUse): ConditionForm => {
  if (!surface) return { state: null, depth: 0 };
  const { state, depthMm } = calculatedSurface(surface, use);
  return { state, depth: depthMm };
};

/** The code that limits apply to: takeoffs use the contaminant's, but none better than the reported one. */
export const codeForUse = (surface: KnownCondition, use: 'landing' | 'takeoff'): Code => {
  if (use === 'landing') return surface.code;
  const { state, depthMm } = calculatedSurface(surface, use);
  const described = codeIn(dispatchConditions, state, depthMm) ?? surface.code;
  return surface.isCodeReported ? (Math.min(described, surface.code) as Code) : (described as Code);
};

export const enrouteForm = (surface: KnownCondition | null): ConditionForm => ({
  state: enrouteOf(surface?.code ?? null),
  depth: 0,
});

/** Depth (mm) assumed for a deposit without one; null if the state needs none. */
export const missingDepthMm = (state: string, depthMm: number, use: ConditionUse): number | null =>
  depthMm === 0 && dispatchConditions.some((row) => row.value === state && row.requiresDepth)
    ? assumedMm[use === 'takeoff' ? 'takeoff' : 'landing']
    : null;

/** Surface words in plans, the more specific ones first. */
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
  [/\bmedium\b/, 3, 'SLIPPERY_WET'],
  [/\bwet\b|\bdamp\b|\bgood\b|^w$/, 5, 'WET'],
  [/\bdry\b|^d$/, 6, 'DRY'],
];

/** A surface known by its name only. */
const namedSurface = (code: Code, dispatch: DispatchCondition): KnownCondition => ({
  ...dry,
  code,
  dispatch,
});

/** The surface named in a plan, such as `wet` or a condition code; null for none and for unknown words. */
export const surfaceOfWords = (text: string | null): KnownCondition | null => {
  const plain = (text ?? '').toLowerCase().replaceAll(/[_-]+/g, ' ').trim();
  const digit = /^(?:rwycc )?([1-6])(?:\/[1-6]){0,2}$/.exec(plain)
    ? Math.min(...[...plain.matchAll(/[1-6]/g)].map(Number))
    : null;
  if (digit !== null) return namedSurface(digit as Code, surfaceByCode[digit as Code]);
  const found = words.find(([pattern]) => pattern.test(plain));
  const surface = found ? namedSurface(found[1], found[2]) : null;
  const friction = codeOfBraking(frictionIn(plain));
  // A friction coefficient never improves a surface.
  return friction !== null && friction < (surface?.code ?? 6)
    ? namedSurface(friction, surfaceByCode[friction])
    : surface;
};

/** Friction coefficient in hundredths from `0.22` or `mu 22`; null if there is none. */
const frictionIn = (plain: string): number | null => {
  const [, hundredths, number] =
    /(?<!\d)0?\.(\d{2})(?!\d)|\b(?:mu|friction|crfi) (\d{2})\b/.exec(plain) ?? [];
  return hundredths === undefined && number === undefined ? null : Number(hundredths ?? number);
};
