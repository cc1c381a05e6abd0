import type { Assessment } from '#domain/performance/assessment.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Verdict } from '#domain/performance/verdict.ts';
import type { AssessedRun, ChangeName } from '../landing/assess.ts';
import { assess } from '../landing/assess.ts';
import { comparedLdaM } from '../landing/rounding.ts';
import type { DispatchResult, InflightResult, LandingCase } from '../landing/types.ts';
import type { Converter } from './units.ts';
import { verdictOf } from './verdicts.ts';

const labels: Record<ChangeName, string> = {
  SPEED_PLUS_5_KT: '+5 kt speed',
  TAILWIND_PLUS_5_KT: '+5 kt tailwind',
  ONE_CODE_WORSE: 'one code worse',
  ONE_REVERSER_LOST: 'one reverser lost',
  WEIGHT_PLUS_1_T: '+1 t',
};

/** The case in flight that is assessed: at dispatch the arrival at the computed weight, with its flap. */
const arrivalOf = (landing: LandingCase, result: InflightResult | DispatchResult): LandingCase =>
  result.mode === 'inflight'
    ? landing
    : {
        ...landing,
        mode: 'inflight',
        configuration: { ...landing.configuration, flap: result.flap, vrefAdditiveKt: 0 },
        massKg: result.landingMassKg,
      };

interface ModeDistances {
  landingDistance: number | null;
  factoredDistance: number | null;
  unfactoredDistance: number | null;
  margin: number | null;
  verdict: Verdict;
}

const without = { landingDistance: null, factoredDistance: null, unfactoredDistance: null, margin: null };

const distancesOf = (run: AssessedRun, autobrake: string, lda: number, convert: Converter): ModeDistances => {
  const mode = run.modes.find((entry) => entry.autobrake === autobrake);
  if (!mode) {
    const stuck = run.unusable.some(
      (entry) => entry.autobrake === autobrake && entry.reason === 'CANNOT_STOP',
    );
    return { ...without, verdict: stuck ? 'CANNOT_STOP' : 'NOT_AVAILABLE' };
  }
  const factoredDistance = convert.distanceUp(mode.factoredM);
  const unfactoredDistance = convert.distanceUp(mode.unfactoredM);
  return {
    landingDistance: convert.distanceUp(mode.landingM),
    factoredDistance,
    unfactoredDistance,
    margin: lda - factoredDistance,
    verdict: verdictOf(factoredDistance, unfactoredDistance, lda),
  };
};

/** Arrival assessment of a result, in the user's units with the rounding of the answer. */
export const assessmentAnswer = (
  profile: AircraftProfile,
  landing: LandingCase,
  result: InflightResult | DispatchResult,
  convert: Converter,
): Assessment => {
  const assessed = assess(profile, arrivalOf(landing, result));
  const lda = convert.distanceDown(comparedLdaM(landing));
  const modes = profile.autobrakes
    .toSorted((a, b) => a.order - b.order)
    .map(({ value, label }) => ({ autobrakeValue: value, label }));
  const codes = assessed.codes.map(({ rwycc, run }) => ({
    rwycc,
    modes: modes.map((mode) => ({ ...mode, ...distancesOf(run, mode.autobrakeValue, lda, convert) })),
  }));
  const worst = (autobrake: string, fits: readonly Verdict[]): number | null =>
    codes.findLast((row) =>
      row.modes.some((mode) => mode.autobrakeValue === autobrake && fits.includes(mode.verdict)),
    )?.rwycc ?? null;
  return {
    landingWeight:
      result.mode === 'inflight'
        ? Math.round(convert.toWeight(assessed.massKg))
        : convert.weightDown(assessed.massKg),
    lda,
    codes,
    worstCodes: modes.map((mode) => ({
      ...mode,
      rwycc: worst(mode.autobrakeValue, ['FITS']),
      unfactoredRwycc: worst(mode.autobrakeValue, ['FITS', 'MARGIN_NOT_MET']),
    })),
    sensitivity: assessed.changes.map((entry) => ({
      change: entry.change,
      label: labels[entry.change],
      reason: 'reason' in entry ? entry.reason : null,
      modes:
        'reason' in entry
          ? []
          : modes.map((mode) => {
              const changed = distancesOf(entry.run, mode.autobrakeValue, lda, convert);
              const base = distancesOf(assessed.base, mode.autobrakeValue, lda, convert);
              const { landingDistance, verdict } = changed;
              const delta =
                landingDistance === null || base.landingDistance === null
                  ? null
                  : landingDistance - base.landingDistance;
              return { ...mode, landingDistance, delta, verdict };
            }),
    })),
  };
};
