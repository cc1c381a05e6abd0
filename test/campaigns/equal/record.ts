import { loadProfiles } from '#data/aircraft/profiles.ts';
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { landingRequestSchema } from '#domain/performance/request.ts';
import { takeoffRequestSchema } from '#domain/performance/takeoff-request.ts';
import { checkProfile } from '#perf/check/profile.ts';
import { aircraftSections } from '#perf/wire/aircraft.ts';
import { cautionAnswers, refusalAnswer } from '#perf/wire/caution-answers.ts';
import { cautionWords } from '#perf/wire/caution-words.ts';
import { drawnSvg } from '#drawing/drawing.ts';
import { performLanding } from '#perf/wire/landing.ts';
import { refusalWords } from '#perf/wire/refusal-words.ts';
import { drawingFacts } from '#drawing/scenes/landing.ts';
import { takeoffDrawingFacts } from '#drawing/scenes/takeoff-facts.ts';
import { takeoffCautionWords, takeoffRefusalWords } from '#perf/wire/takeoff-words.ts';
import { performTakeoff } from '#perf/wire/takeoff.ts';
import { converter } from '#perf/wire/units.ts';
import { answerLine } from '#tools/calc.ts';
import { lineOf, landingOf, randomFrom, takeoffOf, wordParams } from './draws.ts';

const pavement = { lengthM: 3600, startM: 0, displacedM: 150, closed: [{ fromM: 0, toM: 80 }] };
const drawings = ['factored', 'unfactored', 'dispatch', 'takeoff'] as const;
const perAircraft = 20;
const seed = 20_261_128;

type Put = (key: string, value: unknown) => void;

/** Every code with several sets of numbers, in every set of  */
const words = (put: Put): void => {
  const severity = 'advisory';
  const kinds: [string, object, (code: never, params: never, convert: never) => unknown][] = [
    [
      'caution',
      cautionWords,
      (code, params, convert) => cautionAnswers([{ code, severity, params }], convert),
    ],
    [
      'takeoff caution',
      takeoffCautionWords,
      (code, params, convert) => cautionAnswers([{ code, severity, params }], convert),
    ],
    ['refusal', refusalWords, (code, params, convert) => refusalAnswer({ ok: false, code, params }, convert)],
    [
      'takeoff refusal',
      refusalWords,
      (code, params, convert) => refusalAnswer({ ok: false, code, params }, convert, takeoffRefusalWords),
    ],
  ];
  for (const [kind, list, answer] of kinds)
    for (const code of Object.keys(list).toSorted()) {
      for (const [index, { params, asked }] of wordParams(randomFrom(seed)).entries())
        put(`${kind} ${code} ${index}`, answer(code as never, params as never, converter(asked) as never));
    }
};

/** One landing with its drawings. */
const landing = (profile: AircraftProfile, key: string, random: () => number, put: Put): void => {
  const { data, runway, entitlements } = landingOf(profile, random);
  const parsed = landingRequestSchema.safeParse(data);
  if (!parsed.success) return put(key, parsed.error.issues);
  const performed = performLanding({ request: parsed.data, profile, runway, entitlements });
  put(key, performed);
  if (performed.kind !== 'answer') return;
  const { request, answer: result, outcome } = performed;
  const facts = drawingFacts(profile, request, outcome, pavement);
  put(`${key} facts`, facts);
  if (facts === null) return;
  const kind = request.landingMode === 'inflight' ? 'landingEnroute' : 'landingDispatch';
  for (const name of drawings) put(`${key} ${name}`, drawnSvg({ kind, request, result, facts }, name));
};

const takeoff = (profile: AircraftProfile, key: string, random: () => number, put: Put): void => {
  const { data, ...given } = takeoffOf(profile, random);
  const parsed = takeoffRequestSchema.safeParse(data);
  if (!parsed.success) return put(key, parsed.error.issues);
  const performed = performTakeoff({ request: parsed.data, profile, ...given });
  put(key, performed);
  if (performed.kind !== 'answer' || performed.result === null) return;
  const { request, answer: result, takeoff: calculated } = performed;
  const facts = takeoffDrawingFacts(profile, request, calculated, performed.result, pavement);
  put(`${key} facts`, facts);
  for (const name of ['takeoff', 'takeoff-sheet'] as const)
    put(`${key} ${name}`, drawnSvg({ kind: 'takeoff', request, result, facts }, name));
};

/** Everything that must stay equal, by subject, computed by the sources it is imported from. */
export const record = async (): Promise<Map<string, string>> => {
  const entries = new Map<string, string>();
  const put: Put = (key, value) => void entries.set(key, JSON.stringify(value) ?? 'undefined');
  words(put);
  const profiles = await loadProfiles(checkProfile);
  for (const [id, profile] of profiles) {
    put(`${id} aircraft`, aircraftSections(profile));
    const random = randomFrom(seed + id.length);
    for (let n = 0; n < perAircraft; n += 1) {
      landing(profile, `${id} landing ${n}`, random, put);
      takeoff(profile, `${id} takeoff ${n}`, random, put);
      put(`${id} line ${n}`, answerLine(profiles, JSON.stringify(lineOf(profile, random))));
    }
  }
  return entries;
};
