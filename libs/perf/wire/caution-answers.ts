import type { CautionAnswer } from '#domain/performance/caution.ts';
import { landingUnitsSchema } from '#domain/performance/request-parts.ts';
import type { Caution } from '../landing/caution-codes.ts';
import type { Impossible } from '../landing/problem.ts';
import type { TakeoffCaution } from '../takeoff/caution-codes.ts';
import { cautionWords } from './caution-words.ts';
import { refusalWords } from './refusal-words.ts';
import { takeoffCautionWords, takeoffRefusalWords } from './takeoff-words.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';
import { worded } from './words.ts';
import type { Words } from './words.ts';

const answerOf = (
  words: object,
  code: string,
  severity: CautionAnswer['severity'],
  params: object,
  convert: Converter,
): CautionAnswer => {
  // The words of a code take the parameters of that code.
  const own = (words as Record<string, Words<Record<string, unknown>>>)[code];
  if (!own) throw new Error(`no words of ${code}`);
  return { code, severity, ...worded(own, params as Record<string, unknown>, convert) };
};

/** Cautions in the user's units, rounded as in the answer. */
export const cautionAnswers = (cautions: readonly Caution[], convert: Converter): CautionAnswer[] =>
  cautions.map(({ code, severity, params }) => answerOf(cautionWords, code, severity, params, convert));

/** Why there is no result, in the user's units. */
export const refusalAnswer = ({ code, params }: Impossible, convert: Converter): CautionAnswer =>
  answerOf(refusalWords, code, 'error', params, convert);

/** Cautions of a takeoff, likewise. */
export const takeoffCautionAnswers = (
  cautions: readonly TakeoffCaution[],
  convert: Converter,
): CautionAnswer[] =>
  cautions.map(({ code, severity, params }) =>
    answerOf(takeoffCautionWords, code, severity, params, convert),
  );

/** Why there is no takeoff, in the user's units. */
export const takeoffRefusalAnswer = ({ code, params }: Impossible, convert: Converter): CautionAnswer =>
  answerOf(takeoffRefusalWords, code, 'error', params, convert);

/** Conversions of the command-line calculator, whose units are metres and kilograms. */
export const metric = converter(landingUnitsSchema.parse({ distance: 'meter' }));
