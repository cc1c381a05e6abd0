import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingPerformance } from '#domain/performance/result.ts';
import type { Verdict } from '#domain/performance/verdict.ts';
import { accuracyOf } from '../landing/accuracy.ts';
import type { Accuracy } from '../landing/accuracy.ts';
import type { InflightResult, LandingCase, UnusableMode } from '../landing/types.ts';
import type { Converter } from './units.ts';

/** Verdict of rounded distances in the user's unit. */
export const verdictOf = (factored: number, unfactored: number, lda: number): Verdict => {
  if (factored <= lda) return 'FITS';
  return unfactored <= lda ? 'MARGIN_NOT_MET' : 'ABOVE_LDA';
};

const reasons: Record<UnusableMode['reason'], string> = {
  CANNOT_STOP: 'Does not stop on this surface and slope.',
  FAILURE: 'Not available with this failure or inoperative item.',
  RUNWAY_CONDITION: 'Not available on this runway condition.',
};

/** Brake modes without distances, as in the answer. */
export const unusableAnswer = (
  result: InflightResult,
): NonNullable<LandingPerformance['autobrakeNotPossible']> =>
  result.unusable.map(({ label, autobrake, order, reason }) => ({
    label,
    autobrakeValue: autobrake,
    order,
    verdict: reason === 'CANNOT_STOP' ? 'CANNOT_STOP' : 'NOT_AVAILABLE',
    reason: reasons[reason],
  }));

/** Accuracy of the actual distance in flight: that of its block, and of failures and items in use. */
export const inflightAccuracy = (profile: AircraftProfile, landing: LandingCase): Accuracy => {
  const { nonNormal, mel, cdl } = landing.configuration;
  return accuracyOf(profile, [
    'inflight',
    ...(nonNormal.length > 0 ? (['nonNormal'] as const) : []),
    ...(mel.length + cdl.length > 0 ? (['inopItems'] as const) : []),
  ]);
};

export const dispatchAccuracy = (profile: AircraftProfile, landing: LandingCase): Accuracy => {
  const { mel, cdl } = landing.configuration;
  return accuracyOf(profile, ['dispatch', ...(mel.length + cdl.length > 0 ? (['inopItems'] as const) : [])]);
};

/** A distance (m) less and plus one RMS, in the user's unit, rounded outwards. */
export const bandOf = ({ rms }: Accuracy, distanceM: number, convert: Converter): [number, number] => [
  convert.distanceDown(distanceM * (1 - rms)),
  convert.distanceUp(distanceM * (1 + rms)),
];
