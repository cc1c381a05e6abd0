import type { CautionAnswer } from '#domain/performance/caution.ts';
import { landingUnitsSchema } from '#domain/performance/request-parts.ts';
import type { Caution } from '../landing/caution-codes.ts';
import type { Impossible, RefusalCode } from '../landing/problem.ts';
import { cautionWords } from './caution-words.ts';
import { refusalWords } from './refusal-words.ts';
import { takeoffCautionWords } from './takeoff-words.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';
import { worded } from './words.ts';
import type { Words } from './words.ts';

const cautionsInEnglish = { ...cautionWords, ...takeoffCautionWords };

const answerOf = (
  words: object,
  { code, params }: { code: string; params: object },
  severity: CautionAnswer['severity'],
  convert: Converter,
): CautionAnswer => {
  // The text of a code uses only the parameters of that code.
  const own = (words as Record<string, Words<Record<string, unknown>>>)[code];
  if (!own) throw new Error(`no words of ${code}`);
  return { code, severity, ...worded(own, params as Record<string, unknown>, convert) };
};

/** Cautions in the user's units, rounded as in the answer. */
export const cautionAnswers = (cautions: readonly Caution[], convert: Converter): CautionAnswer[] =>
  cautions.map((caution) => answerOf(cautionsInEnglish, caution, caution.severity, convert));

/** The refusal in the user's units; takeoffs have some texts of their own. */
export const refusalAnswer = (
  refusal: Impossible,
  convert: Converter,
  words: Readonly<Record<RefusalCode, object>> = refusalWords,
): CautionAnswer => answerOf(words, refusal, 'error', convert);

/** The cautions of an answer, as texts and as data. */
export const cautionFields = (cautions: readonly Caution[], convert: Converter) => {
  const answered = cautionAnswers(cautions, convert);
  return { caution: answered.map(({ text }) => text), cautions: answered };
};

/** The reason why a case cannot be calculated, as text and as data. */
export const refusalFields = (refused: CautionAnswer) => ({
  caution: [],
  cautions: [],
  error: [refused.text],
  errors: [refused],
});

/** Conversions of the command-line calculator, whose units are metres and kilograms. */
export const metric = converter(landingUnitsSchema.parse({ distance: 'meter' }));
