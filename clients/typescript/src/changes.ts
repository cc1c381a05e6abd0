import type { CallOptions, Caller, Input, Output } from './types.ts';

/** Shorter than the time after which this client gives up a call. */
const waitSeconds = 25;

/** Yields every answer with changes from this cursor on, by long polling, until the signal aborts it. */
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
