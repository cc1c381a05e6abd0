import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createAccountTurns } from './uploads.ts';

test('An account sends two files at a time, others wait in order, and other accounts are unaffected', async () => {
  const uploads = createAccountTurns(2);
  const began: string[] = [];
  const enter = async (name: string, userId = 1): Promise<() => void> => {
    const leave = await uploads.enter(userId);
    began.push(name);
    return leave;
  };
  const files = ['a', 'b', 'c', 'd'].map((name) => enter(name));
  await nextTurn();
  expect(began).toEqual(['a', 'b']);
  (await enter('other', 2))();
  (await files[1])?.();
  (await files[2])?.();
  await files[3];
  expect(began).toEqual(['a', 'b', 'other', 'c', 'd']);
  (await files[3])?.();
  (await files[0])?.();
  const again = [await enter('e'), await enter('f')];
  for (const leave of again) leave();
});

test('Simultaneous uploads of an account together receive no more bytes than the largest file allowed', async () => {
  const uploads = createAccountTurns(2, 100);
  const began: string[] = [];
  const enter = async (name: string, bytes: number): Promise<() => void> => {
    const leave = await uploads.enter(1, bytes);
    began.push(name);
    return leave;
  };
  const files = [enter('whole', 100), enter('small', 1), enter('large', 99), enter('last', 2)];
  await nextTurn();
  expect(began).toEqual(['whole']);
  (await files[0])?.();
  await nextTurn();
  expect(began).toEqual(['whole', 'small', 'large']);
  (await files[1])?.();
  await nextTurn();
  // At most two may upload: one more would fit by number, but not by bytes.
  expect(began).toHaveLength(3);
  (await files[2])?.();
  (await files[3])?.();
  expect(began.at(-1)).toBe('last');
  // A file larger than the total allowed uploads alone.
  (await enter('huge', 1_000))();
});
