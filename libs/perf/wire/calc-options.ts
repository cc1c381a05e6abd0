/** What landings and takeoffs of the command-line calculator share; the API checks its requests by its form data. */
import { refusal } from '../landing/problem.ts';
import type { Impossible } from '../landing/problem.ts';
import { metric, refusalAnswer } from './caution-answers.ts';
import type { takeoffRefusalWords } from './takeoff-words.ts';

type Offer = readonly [name: string, value: string | undefined, list: readonly { value: string }[]];

/** First value that its list does not offer. */
export const firstNotOffered = (offers: readonly Offer[]): Impossible | null => {
  const found = offers.find(
    ([, value, list]) => value !== undefined && !list.some((entry) => entry.value === value),
  );
  if (!found) return null;
  const [name, value = '', list] = found;
  return refusal('UNKNOWN_OPTION', {
    name,
    value,
    offered: list.map((entry) => entry.value).join(', ') || 'nothing',
  });
};

/** Working reversers; undefined: all that are fitted. */
export const workingReversers = (reversers: 'ALL' | 'NONE' | number): number | undefined =>
  reversers === 'ALL' ? undefined : reversers === 'NONE' ? 0 : reversers;

/** Line of a case without an answer. */
export const refused = (outcome: Impossible, words?: typeof takeoffRefusalWords): Record<string, unknown> => {
  const { code, params: details } = outcome;
  return { ok: false, error: { code, message: refusalAnswer(outcome, metric, words).text, details } };
};
