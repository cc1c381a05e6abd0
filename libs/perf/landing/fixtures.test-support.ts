import { CalcCase } from '#domain/performance/calc.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { calculateLine } from '../contract/calc.ts';
import { checkProfile, valueAt } from './check.ts';

/** All standard aircraft, validated, for tests. */
export const profiles = await loadProfiles(checkProfile);

/** A standard aircraft by id. */
export function profile(id: string): AircraftProfile {
  const found = profiles.get(id);
  if (!found) throw new Error(`no profile ${id}`);
  return found;
}

type Input = Record<string, unknown>;

/** Runs one case of the command-line form; missing parts take their defaults. */
export function run(aircraft: string | AircraftProfile, input: Input): Record<string, unknown> {
  const parsed = CalcCase.parse({ mode: 'inflight', runway: { ldaM: 3000 }, ...input });
  return calculateLine(typeof aircraft === 'string' ? profile(aircraft) : aircraft, parsed);
}

/** One number of a case, by its dotted path. */
export function value(aircraft: string | AircraftProfile, input: Input, path: string): number {
  const output = run(aircraft, input);
  const found = valueAt(output, path);
  if (found === null) throw new Error(`${path} is missing in ${JSON.stringify(output).slice(0, 400)}`);
  return found;
}

/** Cautions of a case as one text. */
export function cautions(aircraft: string | AircraftProfile, input: Input): string {
  return (run(aircraft, input)['cautions'] as string[]).join('\n');
}
