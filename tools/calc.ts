import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { calcRequestSchema } from '#domain/performance/calc.ts';
import { takeoffCalcRequestSchema } from '#tools/takeoff-case.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { askedText, optionProblem } from '#platform/command-line.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { calcCase, calculateLine, refused } from '#perf/wire/calc.ts';
import { landingNotOffered } from '#tools/not-offered.ts';
import { calculateTakeoffLine } from '#tools/takeoff-line.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { ProfileFileError, readProfileFile } from './profile-files.ts';
import type { ReadProfile } from './profile-files.ts';
import { isRecord } from '#domain/record.ts';

type Answer = Record<string, unknown>;

const refusal = (id: unknown, code: string, message: string, details: unknown = {}): Answer => ({
  id: id ?? null,
  ok: false,
  error: { code, message, details },
});

/** Answers one line of input. Never throws for invalid input. */
export const answerLine = (
  profiles: ReadonlyMap<string, AircraftProfile>,
  line: string,
  defaultAircraft?: string,
): Answer => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return refusal(null, 'INVALID_JSON', error instanceof Error ? error.message : String(error));
  }
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : null;
  const isUnnamed = isRecord(json) && json['aircraft'] === undefined && defaultAircraft !== undefined;
  const named: unknown = isUnnamed ? { ...(json as object), aircraft: defaultAircraft } : json;
  const isTakeoff = isRecord(json) && json['mode'] === 'takeoff';
  const parsed = (isTakeoff ? takeoffCalcRequestSchema : calcRequestSchema).safeParse(named);
  if (!parsed.success) {
    const details = parsed.error.issues.map((issue) => ({
      field: issue.path.join('.'),
      message: issue.message,
    }));
    return refusal(
      id,
      'INVALID_INPUT',
      details.map((entry) => `${entry.field}: ${entry.message}`).join('; '),
      details,
    );
  }
  // Engine variants are written with a slash (737-800/7B26), which file names cannot contain.
  const { aircraft } = parsed.data;
  const profile = profiles.get(aircraft.replace('/', '-')) ?? profiles.get(aircraft.toUpperCase());
  if (!profile) {
    const known = [...profiles.keys()].join(', ');
    return refusal(id, 'AIRCRAFT_NOT_FOUND', `Aircraft ${parsed.data.aircraft} is unknown. Known: ${known}.`);
  }
  const { data } = parsed;
  if (data.mode === 'takeoff') return { id, ...calculateTakeoffLine(profile, data) };
  const problem = landingNotOffered(profile, calcCase(profile, data));
  return { id, ...(problem ? refused(problem) : calculateLine(profile, data)) };
};

const usage = `usage: npm run calc [-- [--profile FILE]... [--check] [FILE]]
  JSON lines in (standard input without FILE), one JSON line out for each
  --profile FILE  a fleet profile, as profileData of fleetSave; \`aircraft\` of a line is its registration, without one the
                  last profile; one that is based on another comes after it
  --check         only checks the profiles
  Exit status: 0 done, 1 every line failed, 2 usage error.`;

/** Standard aircraft, and the profiles in these files by registration. */
const withProfiles = async (files: readonly string[]) => {
  const standards = await loadProfiles(checkProfile);
  const chains = new Map<string, ReadProfile>();
  for (const file of files) {
    const read = await readProfileFile(file, standards, chains);
    chains.set(read.registration, read);
  }
  const own = [...chains].map(([registration, { profile }]): [string, AircraftProfile] => [
    registration,
    profile,
  ]);
  return { profiles: new Map([...standards, ...own]), last: [...chains.keys()].at(-1) };
};

const linesOf = async function* (file: string | undefined): AsyncGenerator<string> {
  if (file === undefined || file === '-') yield* createInterface({ input: process.stdin });
  else yield* (await readFile(file, 'utf8')).split('\n');
};

/** Reads JSON lines and prints one JSON line for each, in order. Returns the exit status. */
const main = async (): Promise<number> => {
  const asked = askedText(process.argv.slice(2), () => usage);
  if (asked !== null) {
    console.log(asked);
    return 0;
  }
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      profile: { type: 'string', multiple: true, default: [] },
      check: { type: 'boolean' },
    },
  });
  const { profiles, last } = await withProfiles(values.profile);
  if (values.check === true) {
    console.log(
      last === undefined ? 'no profile to check: --profile FILE' : `${values.profile.join(', ')}: ok`,
    );
    return last === undefined ? 1 : 0;
  }
  const count = { answered: 0, failed: 0 };
  for await (const line of linesOf(positionals[0])) {
    if (line.trim() === '') continue;
    const out = answerLine(profiles, line, last);
    count[out['ok'] === true ? 'answered' : 'failed'] += 1;
    process.stdout.write(`${JSON.stringify(out)}\n`);
  }
  return count.failed > 0 && count.answered === 0 ? 1 : 0;
};

/** Wrong files and options need no stack trace. */
const isOfUser = (error: unknown): error is Error =>
  error instanceof ProfileFileError || (error instanceof Error && 'code' in error);

if (import.meta.main)
  try {
    process.exitCode = await main();
  } catch (error) {
    const problem = optionProblem(error, ['profile', 'check']);
    console.error(problem ?? (isOfUser(error) ? error.message : error));
    process.exitCode = problem === null ? 1 : 2;
  }
