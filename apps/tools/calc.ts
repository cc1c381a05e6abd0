import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { calcRequestSchema } from '#domain/performance/calc.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { loadProfiles } from '#data/aircraft/profiles.ts';
import { calculateLine } from '#perf/wire/calc.ts';
import { checkProfile } from '#perf/landing/check.ts';

type Answer = Record<string, unknown>;

const refusal = (id: unknown, code: string, message: string, details: unknown = {}): Answer => ({
  id: id ?? null,
  ok: false,
  error: { code, message, details },
});

/** Answers one line of input. Never throws for invalid input. */
export const answerLine = (profiles: ReadonlyMap<string, AircraftProfile>, line: string): Answer => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (error) {
    return refusal(null, 'INVALID_JSON', error instanceof Error ? error.message : String(error));
  }
  const id = typeof json === 'object' && json !== null && 'id' in json ? json.id : null;
  const parsed = calcRequestSchema.safeParse(json);
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
  const profile = profiles.get(parsed.data.aircraft.replace('/', '-'));
  if (!profile) {
    const known = [...profiles.keys()].join(', ');
    return refusal(id, 'AIRCRAFT_NOT_FOUND', `Aircraft ${parsed.data.aircraft} is unknown. Known: ${known}.`);
  }
  return { id, ...calculateLine(profile, parsed.data) };
};

/** `npm run calc [-- file]`: JSON lines in, one JSON line out for each, in order; exit status 1 when all failed. */
const main = async (): Promise<void> => {
  const file = process.argv[2];
  if (file === '--help' || file === '-h') {
    console.log(
      'usage: npm run calc [-- FILE]   JSON lines in (standard input without FILE), one JSON line out for each; exit status 1 when every line failed',
    );
    return;
  }
  const profiles = await loadProfiles(checkProfile);
  const count = { answered: 0, failed: 0 };
  const answer = (line: string): void => {
    if (line.trim() === '') return;
    const out = answerLine(profiles, line);
    count[out['ok'] === true ? 'answered' : 'failed'] += 1;
    process.stdout.write(`${JSON.stringify(out)}\n`);
  };
  if (file !== undefined && file !== '-') {
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      console.error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
      process.exitCode = 1;
      return;
    }
    text.split('\n').forEach(answer);
  } else for await (const line of createInterface({ input: process.stdin })) answer(line);
  if (count.failed > 0 && count.answered === 0) process.exitCode = 1;
};

if (import.meta.main) await main();
