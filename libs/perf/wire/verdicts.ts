import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingPerformance } from '#domain/performance/result.ts';
import { distanceVerdict, limitedVerdict, shownOf } from '#domain/performance/verdict.ts';
import { isLimitExceeded, modesConcerned } from '../landing/caution-codes.ts';
import type { Caution } from '../landing/caution-codes.ts';
import { joulesPerMftlb } from '../kernel/units.ts';
import { hasEstimated } from '../landing/profile-lookup.ts';
import { rounded } from '../landing/rounding.ts';
import type {
  BrakeCooling,
  CoolingTime,
  InflightResult,
  LandingCase,
  ModeResult,
  UnusableMode,
} from '../landing/types.ts';
import { cautionAnswers } from './caution-answers.ts';
import type { Converter } from './units.ts';

const reasons: Record<UnusableMode['reason'], string> = {
  CANNOT_STOP: 'Does not stop on this surface and slope.',
  FAILURE: 'Not available with this failure or inoperative item.',
  RUNWAY_CONDITION: 'Not available on this runway condition.',
};

/** Exceeded limits, with value and limit. */
export const limitsAnswer = (
  cautions: readonly Caution[],
  convert: Converter,
): NonNullable<LandingPerformance['limitsExceeded']> => {
  const exceeded = cautions.filter(isLimitExceeded);
  const modes = exceeded.map(modesConcerned).map((concerned) => concerned && [...concerned]);
  return cautionAnswers(exceeded, convert).map((answer, i) => ({ ...answer, modes: modes[i] ?? null }));
};

/** Brake mode distances in the user's unit, with the verdict against the LDA. */
export const shownDistances = (
  { landingM, factoredM, actualM }: ModeResult,
  lda: number,
  isBeyondLimit: boolean,
  convert: Converter,
) => {
  const [landingDistance, factoredDistance, unfactoredDistance] = [landingM, factoredM, actualM].map((m) =>
    convert.distanceUp(m),
  ) as [number, number, number];
  const byDistance = distanceVerdict(factoredDistance, unfactoredDistance, lda);
  return {
    landingDistance,
    factoredDistance,
    unfactoredDistance,
    margin: lda - factoredDistance,
    verdict: limitedVerdict(byDistance, isBeyondLimit),
    distanceVerdict: byDistance,
  };
};

/** Brake modes without distances, as in the answer. */
export const unusableAnswer = (
  result: InflightResult,
): NonNullable<LandingPerformance['autobrakeNotPossible']> =>
  result.unusable.map(({ label, autobrake, order, reason }) => {
    const verdict = reason === 'CANNOT_STOP' ? reason : 'NOT_AVAILABLE';
    const shown = shownOf(verdict, 0);
    return { label, autobrakeValue: autobrake, order, verdict, shown, reason: reasons[reason] };
  });

type Block = AircraftProfile['provenance'][number]['block'];

/** RMS error of a profile block against published distances, as a share (0.02 is 2 %). */
export interface Accuracy {
  rms: number;
  quality: 'fitted' | 'estimated';
}

/** Accuracy of a block without published points: the validation bar of types without own tables. */
const estimatedRms = 0.06;

/** Largest validation RMS of the blocks a distance depends on; estimated if one has none. */
export const accuracyOf = (profile: AircraftProfile, blocks: readonly Block[]): Accuracy => {
  let rms = 0;
  let quality: Accuracy['quality'] = 'fitted';
  for (const block of blocks) {
    const entry = profile.provenance.find((candidate) => candidate.block === block);
    if (entry?.rms === undefined || entry.quality === 'estimated') quality = 'estimated';
    rms = Math.max(rms, entry?.rms ?? estimatedRms);
  }
  return { rms, quality };
};

/** Accuracy of a distance with a part that has no published points. */
export const estimatedOf = ({ rms }: Accuracy): Accuracy => ({
  rms: Math.max(rms, estimatedRms),
  quality: 'estimated',
});

/** Accuracy of the in-flight actual distance, including failures and items in use. */
export const inflightAccuracy = (profile: AircraftProfile, landing: LandingCase): Accuracy => {
  const { nonNormal, mel, cdl } = landing.configuration;
  const failed = profile.nonNormal.filter(({ value }) => nonNormal.includes(value));
  const accuracy = accuracyOf(profile, [
    'inflight',
    ...(failed.length > 0 ? (['nonNormal'] as const) : []),
    ...(mel.length + cdl.length > 0 ? (['inopItems'] as const) : []),
  ]);
  return hasEstimated(failed) ? estimatedOf(accuracy) : accuracy;
};

export const dispatchAccuracy = (profile: AircraftProfile, landing: LandingCase): Accuracy => {
  const { mel, cdl } = landing.configuration;
  return accuracyOf(profile, ['dispatch', ...(mel.length + cdl.length > 0 ? (['inopItems'] as const) : [])]);
};

/** A distance (m) minus and plus one RMS, in the user's unit, rounded outwards. */
export const bandOf = ({ rms }: Accuracy, distanceM: number, convert: Converter): [number, number] => [
  convert.distanceDown(distanceM * (1 - rms)),
  convert.distanceUp(distanceM * (1 + rms)),
];

const minutes = (value: CoolingTime): CoolingTime => (typeof value === 'number' ? rounded(value, 1) : value);

/** Brake cooling as a landing and a takeoff answer it. */
export const coolingAnswer = (cooling: BrakeCooling) => ({
  credit: cooling.credit,
  aerodynamicDrag: cooling.aerodynamicDrag,
  ground: minutes(cooling.groundMin),
  air: minutes(cooling.airMin),
  btms: cooling.btms === null ? null : rounded(cooling.btms, 1),
  energy: rounded(cooling.energyJ / joulesPerMftlb, 1),
});
