import type { CallOptions, Caller, Input, Output } from './types.ts';

/** Paged queries. */
export interface Paged {
  ofpList: Output<'ofpList'>['items'][number];
  getPaymentHistory: Output<'getPaymentHistory'>['payments'][number];
}

interface Page<Q extends keyof Paged> {
  items: (answer: Output<Q>) => readonly Paged[Q][];
  /** Input of the next page; null after the last one. */
  next: (answer: Output<Q>, input: NonNullable<Input<Q>>) => NonNullable<Input<Q>> | null;
}

const pages: { [Q in keyof Paged]: Page<Q> } = {
  ofpList: {
    items: ({ items }) => items,
    next: ({ nextCursor }, input) => (nextCursor === null ? null : { ...input, before: nextCursor }),
  },
  getPaymentHistory: {
    items: ({ payments }) => payments,
    next: ({ has_more: hasMore, offset, payments }, input) =>
      hasMore && payments.length > 0 ? { ...input, offset: offset + payments.length } : null,
  },
};

/** All entries of all pages; a page is fetched when the previous one is used up: `for await (const ofp of …)`. */
export const allOf = async function* <Q extends keyof Paged>(
  client: Caller,
  query: Q,
  first: NonNullable<Input<Q>>,
  options: CallOptions = {},
): AsyncGenerator<Paged[Q], void, undefined> {
  const page = pages[query];
  let input: NonNullable<Input<Q>> | null = first;
  while (input !== null) {
    const answer: Output<Q> = await client.send(query, input, options);
    yield* page.items(answer);
    input = page.next(answer, input);
  }
};
