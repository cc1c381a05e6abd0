import type { z } from 'zod';
import type { Context } from '#data/context.ts';
import type { DialectName } from '../dialects.ts';
import { changesNothing } from './identity.ts';

export type Output = Record<string, unknown>;

/** What the answers of an operation are checked and written by. */
export interface Answering {
  name: string;
  dialect: DialectName;
  output: z.ZodType;
}

/** Without VERIFY_ANSWERS every answer up to this one is checked, of the later ones every `sampledEach`-th. */
const alwaysChecked = 20;
const sampledEach = 100;

/**
 * The output as declared. A wrong answer is a bug: refused with VERIFY_ANSWERS, else reported and sent. Then a schema
 * that only checks is applied to a sample; one that fills in or strips is applied to every answer.
 */
export const createOutputCheck = (
  { name, output }: Pick<Answering, 'name' | 'output'>,
  { config, log }: Pick<Context, 'config' | 'log'>,
): ((answer: unknown) => Output) => {
  const isIdentity = changesNothing(output);
  const isSampled = isIdentity && !config.VERIFY_ANSWERS;
  let answers = 0;
  return (answer) => {
    answers += 1;
    if (isSampled && answers > alwaysChecked && answers % sampledEach !== 0) return answer as Output;
    const parsed = output.safeParse(answer);
    if (parsed.success) return (isIdentity ? answer : parsed.data) as Output;
    if (config.VERIFY_ANSWERS)
      throw new Error(`${name} answered against its schema: ${parsed.error.message}`);
    log.error({ query: name, issues: parsed.error.issues }, 'the answer does not match its schema');
    return answer as Output;
  };
};
