import type { CautionAnswer } from '#domain/performance/caution.ts';
import { landingUnitsSchema } from '#domain/performance/request-parts.ts';
import type { Caution } from '../landing/caution-codes.ts';
import type { Impossible } from '../landing/problem.ts';
import type { TakeoffCaution } from '../takeoff/caution-codes.ts';
import { amountOf, sayer } from './amounts.ts';
import { cautionWords } from './caution-words.ts';
import type { CautionWords } from './caution-words.ts';
import { refusalWords } from './refusal-words.ts';
import { takeoffCautionWords, takeoffRefusalWords } from './takeoff-words.ts';
import { converter } from './units.ts';
import type { Converter } from './units.ts';

const answerOf = <P>(
  code: string,
  severity: CautionAnswer['severity'],
  words: CautionWords<P>,
  params: P,
  convert: Converter,
): CautionAnswer => {
  const value = words.value && amountOf(words.value(params), convert);
  const limit = words.limit && amountOf(words.limit(params), convert);
  return {
    code,
    severity,
    field: words.field,
    text: words.text(params, sayer(convert)),
    value: value?.value ?? null,
    limit: limit?.value ?? null,
    unit: (value ?? limit)?.unit ?? null,
  };
};

/** Cautions in the user's units, rounded as in the answer. */
export const cautionAnswers = (cautions: readonly Caution[], convert: Converter): CautionAnswer[] =>
  cautions.map(({ code, severity, params }) =>
    // The words of a code take the parameters of that code.
    answerOf(code, severity, cautionWords[code] as CautionWords<unknown>, params, convert),
  );

/** Why there is no result, in the user's units. */
export const refusalAnswer = ({ code, params }: Impossible, convert: Converter): CautionAnswer =>
  answerOf(code, 'error', refusalWords[code] as CautionWords<unknown>, params, convert);

/** Cautions of a takeoff, likewise. */
export const takeoffCautionAnswers = (
  cautions: readonly TakeoffCaution[],
  convert: Converter,
): CautionAnswer[] =>
  cautions.map(({ code, severity, params }) =>
    answerOf(code, severity, takeoffCautionWords[code] as CautionWords<unknown>, params, convert),
  );

/** Why there is no takeoff, in the user's units. */
export const takeoffRefusalAnswer = ({ code, params }: Impossible, convert: Converter): CautionAnswer => {
  const words = { ...refusalWords, ...takeoffRefusalWords };
  return answerOf(code, 'error', words[code] as CautionWords<unknown>, params, convert);
};

/** Conversions of the command-line calculator, whose units are metres and kilograms. */
export const metric = converter(landingUnitsSchema.parse({ distance: 'meter' }));
