import type { CallOptions, Caller, Input, Output } from './types.ts';

/** Less than the time after which a call of this client is given up. */
const waitSeconds = 25;

/** Every answer with changes from this cursor on, by calls that wait, until the signal ends it. */
export const changesFrom = async function* (
  client: Caller,
  since: string,
  { kinds, ...options }: CallOptions & Pick<NonNullable<Input<'changes'>>, 'kinds'> = {},
): AsyncGenerator<Output<'changes'>, void, undefined> {
  let cursor = since;
  for (;;) {
    const answer: Output<'changes'> = await client.send(
      'changes',
      { since: cursor, wait: waitSeconds, ...(kinds ? { kinds } : {}) },
      options,
    );
    cursor = answer.cursor;
    if (answer.changes.length > 0) yield answer;
  }
};
