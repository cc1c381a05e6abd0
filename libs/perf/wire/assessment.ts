import type { Assessment } from '#domain/performance/assessment.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { Verdict } from '#domain/performance/verdict.ts';
import type { AssessedRun, ChangeName } from '../landing/assess.ts';
import { assess } from '../landing/assess.ts';
import { exceedsLimit } from '../landing/caution-codes.ts';
import { arrivalOf } from '../landing/dispatch.ts';
import { comparedLdaM } from '../landing/rounding.ts';
import type { DispatchResult, InflightResult, LandingCase } from '../landing/types.ts';
import { refusalAnswer } from './caution-answers.ts';
import type { Converter } from './units.ts';
import { shownDistances } from './verdicts.ts';

const labels: Record<ChangeName, string> = {
  SPEED_PLUS_5_KT: '+5 kt speed',
  TAILWIND_PLUS_5_KT: '+5 kt tailwind',
  ONE_CODE_WORSE: 'one code worse',
  ONE_REVERSER_LOST: 'one reverser lost',
  WEIGHT_PLUS_1_T: '+1 t',
  AIR_TIME_7_S: '7 s of air',
};

/** Limits that a run is compared with: LDA in the distance unit, balked landing limit in kg. */
interface Available {
  lda: number;
  balkedMaxKg: number;
}

interface ModeDistances {
  landingDistance: number | null;
  factoredDistance: number | null;
  unfactoredDistance: number | null;
  margin: number | null;
  verdict: Verdict;
}

const without = { landingDistance: null, factoredDistance: null, unfactoredDistance: null, margin: null };

const distancesOf = (
  run: AssessedRun,
  autobrake: string,
  { lda, balkedMaxKg }: Available,
  convert: Converter,
): ModeDistances => {
  const mode = run.modes.find((entry) => entry.autobrake === autobrake);
  if (!mode) {
    const stuck = run.unusable.some(
      (entry) => entry.autobrake === autobrake && entry.reason === 'CANNOT_STOP',
    );
    return { ...without, verdict: stuck ? 'CANNOT_STOP' : 'NOT_AVAILABLE' };
  }
  const isBeyondLimit = exceedsLimit(run.exceeded, autobrake) || run.massKg > balkedMaxKg;
  const { distanceVerdict: _, ...shown } = shownDistances(mode, lda, isBeyondLimit, convert);
  return shown;
};

/** The landing assessment in the user's units, with the answer's rounding. */
export const assessmentAnswer = (
  profile: AircraftProfile,
  landing: LandingCase,
  result: InflightResult | DispatchResult,
  balkedMaxKg: number,
  convert: Converter,
): Assessment => {
  // At dispatch, the arrival at the calculated weight.
  const arrival =
    result.mode === 'inflight' ? landing : { ...arrivalOf(landing, result.flap), massKg: result.massKg };
  const assessed = assess(profile, arrival);
  const lda = convert.distanceDown(comparedLdaM(landing));
  const available = { lda, balkedMaxKg };
  const modes = profile.autobrakes
    .toSorted((a, b) => a.order - b.order)
    .map(({ value, label }) => ({ autobrakeValue: value, label }));
  const codes = assessed.codes.map(({ rwycc, run }) => ({
    rwycc,
    modes: modes.map((mode) => ({ ...mode, ...distancesOf(run, mode.autobrakeValue, available, convert) })),
  }));
  const worst = (autobrake: string, holds: (mode: ModeDistances) => boolean): number | null =>
    codes.findLast((row) => row.modes.some((mode) => mode.autobrakeValue === autobrake && holds(mode)))
      ?.rwycc ?? null;
  return {
    landingWeight:
      result.mode === 'inflight' ? convert.toWeight(assessed.massKg) : convert.weightDown(assessed.massKg),
    lda,
    codes,
    worstCodes: modes.map((mode) => ({
      ...mode,
      rwycc: worst(mode.autobrakeValue, ({ verdict }) => verdict === 'FITS'),
      unfactoredRwycc: worst(
        mode.autobrakeValue,
        ({ unfactoredDistance }) => unfactoredDistance !== null && unfactoredDistance <= lda,
      ),
    })),
    sensitivity: assessed.changes.map(({ change, outcome }) => {
      const isRun = typeof outcome !== 'string' && outcome.ok;
      const why = typeof outcome === 'string' || outcome.ok ? outcome : refusalAnswer(outcome, convert).text;
      return {
        change,
        label: labels[change],
        reason: typeof why === 'string' ? why : null,
        modes: (isRun ? modes : []).map((mode) => {
          const of = (run: AssessedRun) => distancesOf(run, mode.autobrakeValue, available, convert);
          const { landingDistance, verdict } = of(isRun ? outcome.result : assessed.base);
          const usual = of(assessed.base).landingDistance;
          const delta = landingDistance === null || usual === null ? null : landingDistance - usual;
          return { ...mode, landingDistance, delta, verdict };
        }),
      };
    }),
  };
};
