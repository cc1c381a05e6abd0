import type { z } from 'zod';
import type { Context } from '#data/context.ts';
import type { DialectName } from '../dialects.ts';

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

/** A wrong answer is a bug: refused with VERIFY_ANSWERS, else looked for in a sample, reported and sent. */
export const createOutputCheck = (
  { name, output }: Pick<Answering, 'name' | 'output'>,
  { config, log }: Pick<Context, 'config' | 'log'>,
): ((answer: unknown) => Output) => {
  let answers = 0;
  return (answer) => {
    answers += 1;
    const isLeftOut = answers > alwaysChecked && answers % sampledEach !== 0 && !config.VERIFY_ANSWERS;
    const parsed = isLeftOut ? null : output.safeParse(answer);
    if (!parsed?.error) return answer as Output;
    if (config.VERIFY_ANSWERS)
      throw new Error(`${name} answered against its schema: ${parsed.error.message}`);
    log.error({ query: name, issues: parsed.error.issues }, 'the answer does not match its schema');
    return answer as Output;
  };
};
