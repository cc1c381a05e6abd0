import { calculated } from '#platform/metrics/events.ts';
import type { Calculated } from '#platform/metrics/events.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';

type Performed =
  | { kind: 'invalid' | 'notEntitled' }
  | { kind: 'answer'; answer: { calculationPossible: boolean } };

const outcomeOf = (performed: Performed): Calculated['outcome'] => {
  if (performed.kind !== 'answer') return performed.kind;
  return performed.answer.calculationPossible ? 'possible' : 'impossible';
};

/** A calculation, which is counted and timed by the family of its aircraft and its mode. */
export const measured = <P extends Performed>(
  { family }: Pick<AircraftProfile, 'family'>,
  mode: 'dispatch' | 'inflight' | 'takeoff',
  perform: () => P,
): P => {
  const started = performance.now();
  let outcome: Calculated['outcome'] = 'failed';
  try {
    const performed = perform();
    outcome = outcomeOf(performed);
    return performed;
  } finally {
    calculated.publish({ family, mode, outcome, seconds: (performance.now() - started) / 1_000 });
  }
};
