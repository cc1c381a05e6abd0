import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createJsonReader } from './json.ts';

/** A body in chunks of 64 kB that are there as soon as they are asked for, as those of a fast client. */
const fastBody = (chunks: number) => {
  const state = { left: chunks };
  const request = new Readable({
    read() {
      state.left -= 1;
      const isLast = state.left === 0;
      this.push(isLast ? '}' : Buffer.alloc(65_536, ' '));
      if (isLast) this.push(null);
    },
  });
  request.unshift(Buffer.from('{'));
  return {
    state,
    ctx: { req: Object.assign(request, { socket: {}, complete: true }), request: {}, get: () => '' },
  };
};
const call = { claims: { userId: 1 }, limiter: { takeLocally: () => ({ left: 1 }) }, tightest: null };

test('Large bodies that come in fast share each turn of the event loop', async () => {
  const read = createJsonReader({ known: 4_194_304, anonymous: 4_194_304 });
  const bodies = Array.from({ length: 4 }, () => fastBody(32));
  const results = Promise.all(bodies.map(({ ctx }) => read(ctx as never, call as never)));
  const left = () => bodies.reduce((sum, { state }) => sum + state.left, 0);
  let turns = 0;
  for (let before = left(); before > 0; turns += 1) {
    await nextTurn();
    const now = left();
    // 512 kB, and one chunk more of each, read ahead by two.
    expect((before - now) * 65_536).toBeLessThanOrEqual(524_288 + 12 * 65_536);
    before = now;
  }
  expect(turns).toBeGreaterThan(6);
  expect((await results).map(({ fields }) => fields)).toEqual([{}, {}, {}, {}]);
});
