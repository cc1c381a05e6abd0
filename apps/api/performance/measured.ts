import { calculated } from '#data/metrics/events.ts';
import type { Calculated } from '#data/metrics/events.ts';
import { performLanding } from '#perf/wire/landing.ts';
import type { LandingInput, LandingPerformed } from '#perf/wire/types.ts';

const outcomeOf = (performed: LandingPerformed): Calculated['outcome'] => {
  if (performed.kind !== 'answer') return performed.kind;
  return performed.answer.calculationPossible ? 'possible' : 'impossible';
};

/** `performLanding`, which is counted and timed. */
export const measuredLanding = (input: LandingInput): LandingPerformed => {
  const { profile, request } = input;
  const started = performance.now();
  let outcome: Calculated['outcome'] = 'failed';
  try {
    const performed = performLanding(input);
    outcome = outcomeOf(performed);
    return performed;
  } finally {
    const seconds = (performance.now() - started) / 1_000;
    calculated.publish({ family: profile.family, mode: request.landingMode, outcome, seconds });
  }
};
