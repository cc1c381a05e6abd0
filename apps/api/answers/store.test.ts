import { expect, test } from 'vitest';
import { createStore } from './store.ts';

const keys = ['a', 'b', 'c', 'd'];

test('What was not used for the longest time makes room', () => {
  const store = createStore<string>(6, (value) => value.length);
  for (const key of ['a', 'b', 'c']) store.set(key, `${key}${key}`);
  store.get('a');
  store.set('d', 'dd');
  expect(keys.map((key) => store.get(key))).toEqual(['aa', undefined, 'cc', 'dd']);
  store.set('a', 'aaaaaa');
  expect(keys.map((key) => store.get(key))).toEqual(['aaaaaa', undefined, undefined, undefined]);
});

test('A replaced value counts once, one that is too large is not kept', () => {
  const store = createStore<string>(6, (value) => value.length);
  for (let i = 0; i < 10; i += 1) store.set('a', 'aaa');
  store.set('b', 'bbb');
  expect(keys.map((key) => store.get(key))).toEqual(['aaa', 'bbb', undefined, undefined]);
  store.set('c', 'a long value');
  expect(store.get('c')).toBeUndefined();
  store.set('d', 'dddddd');
  expect(store.get('d')).toBe('dddddd');
});
