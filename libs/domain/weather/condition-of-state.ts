/** Runway conditions from the runway state group of a METAR. */
import { reciprocalIdent } from '../airports/ident.ts';
import { runwayEndsNamed } from '../airports/reported-runway.ts';
import type { RunwayNames } from '../airports/reported-runway.ts';
import { dry, surfaceByCode } from './condition-names.ts';
import type { Code, DispatchCondition, KnownCondition } from './condition-names.ts';
import type { RunwayStateGroup } from './groups.ts';
import type { Report } from './report.ts';

/** Up to this depth, snow, slush and water brake like a wet runway. */
const thinLayerMm = 3;
const coldCompactedSnowC = -15;
/** Highest percentage of each coverage digit. */
const coveragePercents: Readonly<Record<number, number>> = { 0: 0, 1: 10, 2: 25, 5: 50, 9: 100 };

/** The condition in a state group; null when it names no deposit. */
export const findingOfState = (
  state: RunwayStateGroup,
  temperatureC: number | null,
): KnownCondition | null => {
  const found = (dispatch: DispatchCondition, code: Code): KnownCondition => ({
    ...dry,
    isOfRunway: true,
    dispatch,
    code,
    evidence:
      state.runwayEnds?.includes(state.runway ?? '') === false
        ? `runway state of ${state.runway}`
        : 'runway state',
    depthMm: state.depthMm,
    coveragePercent: coveragePercents[state.coverage ?? -1] ?? null,
  });
  // Snow or slush of unknown depth counts as thick, unless a braking action is reported.
  const isDeepUnlessKnown = state.deposit !== 2 && codeOfBraking(state.braking) === null;
  const thick = state.depthMm === null ? isDeepUnlessKnown : state.depthMm > thinLayerMm;
  if (state.cleared || state.deposit === 0) return found('DRY', 6);
  // A deposit with coverage 0 is contradictory, so the weather decides.
  if (state.deposit === null || state.coverage === 0) return null;
  // A runway covered by at most a quarter does not count as contaminated.
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

/** Lowest friction coefficient (hundredths) of each code from 5: ICAO Annex 15 (SNOWTAM) and WMO table 0366. */
const lowestCoefficients: readonly (readonly [Code, number])[] = [
  [5, 40],
  [4, 36],
  [3, 30],
  [2, 26],
];

/** The code of a friction coefficient 0.00 to 0.90 or braking action 91 (poor) to 95 (good); null for other values. */
export const codeOfBraking = (braking: number | null): Code | null => {
  if (braking === null) return null;
  if (braking >= 91) return braking <= 95 ? ((braking - 90) as Code) : null;
  return lowestCoefficients.find(([, lowest]) => braking >= lowest)?.[0] ?? 1;
};

/** Reported friction or braking action can only worsen the code; a good one does not make a dry runway wet. */
export const brakingCap = ({ braking }: RunwayStateGroup, finding: KnownCondition): KnownCondition => {
  const cap = codeOfBraking(braking);
  if (cap === null || cap > finding.code || (cap === 5 && finding.dispatch === 'DRY')) return finding;
  const reported = { ...finding, isCodeReported: true, isOfRunway: true };
  if (cap === finding.code) return reported;
  const evidence =
    (braking ?? 0) >= 91 ? `braking ${braking}` : `friction coefficient ${((braking ?? 0) / 100).toFixed(2)}`;
  const isBare = finding.dispatch === 'DRY' || finding.dispatch === 'WET';
  return { ...reported, dispatch: isBare ? surfaceByCode[cap] : finding.dispatch, code: cap, evidence };
};

/** Matches state groups to the runways of an aerodrome; a group without a certain match is left undecoded. */
export const ofAerodrome = (report: Report, known: RunwayNames | null): Report => {
  const names = report.runwayStates.flatMap(({ runway }) => (/^\d/.test(runway ?? '') ? [runway ?? ''] : []));
  if (!known || names.length === 0) return report;
  const runwayStates = report.runwayStates.map((state) =>
    state.runway !== null && names.includes(state.runway)
      ? { ...state, runwayEnds: runwayEndsNamed(known, state.runway, names) }
      : state,
  );
  const strange = report.tokens.filter(({ group }) => {
    const at = report.runwayStates.findIndex((state) => state === group);
    return runwayStates[at]?.runwayEnds?.length === 0;
  });
  return { ...report, runwayStates, undecoded: [...report.undecoded, ...strange.map(({ text }) => text)] };
};

/** How specifically a group applies: the runway or its other end, its number, all runways, a repeat, the aerodrome, any. */
const rankOf = ({ runway, runwayEnds }: RunwayStateGroup, id: string): number => {
  const isStrip = (names: readonly (string | null)[], ident: string): boolean =>
    names.includes(ident) || names.includes(reciprocalIdent(ident));
  if (runwayEnds?.length === 0) return 5;
  if (isStrip(runwayEnds ?? [runway], id)) return 0;
  if (runway !== null && /^\d/.test(runway))
    return runwayEnds === undefined && isStrip([runway], id.slice(0, 2)) ? 1 : Infinity;
  return runway === 'ALL' ? 2 : runway === 'LAST' ? 3 : 4;
};

/** The state groups that apply most specifically to a runway. */
export const statesFor = (states: readonly RunwayStateGroup[], runwayId: string): RunwayStateGroup[] => {
  const id = runwayId.toUpperCase().padStart(/[LCR]$/i.test(runwayId) ? 3 : 2, '0');
  const closest = Math.min(...states.map((state) => rankOf(state, id)));
  return closest === Infinity ? [] : states.filter((state) => rankOf(state, id) === closest);
};
