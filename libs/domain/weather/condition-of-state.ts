/** What the runway state group of a METAR says of a runway. */
import { surfaceByCode } from './condition-names.ts';
import type { Code, DispatchCondition } from './condition-names.ts';
import type { RunwayStateGroup } from './groups.ts';

export interface ConditionFinding {
  condition: DispatchCondition;
  code: Code;
  evidence: string | null;
  depthMm?: number | null;
  coveragePercent?: number | null;
  /** By a friction coefficient or a braking action. */
  isCodeReported?: boolean;
}

/** At or below this depth, braking on snow, slush and water is as on a wet runway. */
const thinLayerMm = 3;
const coldCompactedSnowC = -15;
/** Upper end of each coverage digit. */
const coveragePercents: Readonly<Record<number, number>> = { 0: 0, 1: 10, 2: 25, 5: 50, 9: 100 };

/** The finding of a state group; null when it names no deposit. */
export const findingOfState = (
  state: RunwayStateGroup,
  temperatureC: number | null,
): ConditionFinding | null => {
  const found = (condition: DispatchCondition, code: Code): ConditionFinding => ({
    condition,
    code,
    evidence: 'runway state',
    depthMm: state.depthMm,
    coveragePercent: coveragePercents[state.coverage ?? -1] ?? null,
  });
  // Snow or slush of unknown depth is thick, unless a braking action says how slippery it is.
  const isDeepUnlessKnown = state.deposit !== 2 && codeOfBraking(state.braking) === null;
  const thick = state.depthMm === null ? isDeepUnlessKnown : state.depthMm > thinLayerMm;
  if (state.cleared || state.deposit === 0) return found('DRY', 6);
  // A deposit with coverage 0 contradicts itself: the weather decides.
  if (state.deposit === null || state.coverage === 0) return null;
  // A quarter of the runway or less does not count as contaminated.
  if (state.coverage === 1 || state.coverage === 2) return found('WET', 5);
  switch (state.deposit) {
    case 2:
      return thick ? found('STANDING_WATER', 2) : found('WET', 5);
    case 4:
      return found('DRY_SNOW', thick ? 3 : 5);
    case 5:
      return found('WET_SNOW', thick ? 3 : 5);
    case 6:
      return found('SLUSH', thick ? 2 : 5);
    case 7:
    case 9:
      return found('ICE', 1);
    case 8:
      return found('COMPACTED_SNOW', temperatureC !== null && temperatureC <= coldCompactedSnowC ? 4 : 3);
    default:
      return found('WET', 5);
  }
};

/** Lowest friction coefficient (hundredths) of each code from 5: the correlation of ICAO Annex 15 (SNOWTAM) and WMO table 0366. */
const lowestCoefficients: readonly (readonly [Code, number])[] = [
  [5, 40],
  [4, 36],
  [3, 30],
  [2, 26],
];

/** The code of a reported friction coefficient 0.00 to 0.90 or braking action 91 (poor) to 95 (good); null of any other value. */
export const codeOfBraking = (braking: number | null): Code | null => {
  if (braking === null) return null;
  if (braking >= 91) return braking <= 95 ? ((braking - 90) as Code) : null;
  return lowestCoefficients.find(([, lowest]) => braking >= lowest)?.[0] ?? 1;
};

/** Reported friction and braking action can make the code worse, never better; good does not make a dry runway wet. */
export const brakingCap = ({ braking }: RunwayStateGroup, finding: ConditionFinding): ConditionFinding => {
  const cap = codeOfBraking(braking);
  if (cap === null || cap > finding.code || (cap === 5 && finding.condition === 'DRY')) return finding;
  if (cap === finding.code) return { ...finding, isCodeReported: true };
  const evidence =
    (braking ?? 0) >= 91 ? `braking ${braking}` : `friction coefficient ${((braking ?? 0) / 100).toFixed(2)}`;
  const isBare = finding.condition === 'DRY' || finding.condition === 'WET';
  return {
    ...finding,
    condition: isBare ? surfaceByCode[cap] : finding.condition,
    code: cap,
    evidence,
    isCodeReported: true,
  };
};

/** The state group that applies to a runway: itself, its other end, its number, all runways, a repeated report, the aerodrome. */
export const stateFor = (states: readonly RunwayStateGroup[], runwayId: string): RunwayStateGroup | null => {
  const id = runwayId.toUpperCase().padStart(/[LCR]$/i.test(runwayId) ? 3 : 2, '0');
  const number = id.slice(0, 2);
  const wanted = [id, otherEnd(id), number, otherEnd(number), 'ALL', 'LAST', null];
  for (const designator of wanted) {
    const state = states.find((s) => s.runway === designator);
    if (state) return state;
  }
  return null;
};

const otherEnd = (id: string): string => {
  const number = ((Number(id.slice(0, 2)) + 17) % 36) + 1;
  const side = { L: 'R', R: 'L', C: 'C' }[id.slice(2)] ?? '';
  return `${String(number).padStart(2, '0')}${side}`;
};
