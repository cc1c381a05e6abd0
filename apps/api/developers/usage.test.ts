import { expect, test } from 'vitest';
import { withoutPeople } from './usage.ts';

test.each([
  ['a', 1_000_000],
  ['%40b', 250_000],
  ['b.', 500_000],
  ['f:', 500_000],
])('A text of a million characters %j is scanned once, not again from every character', (part, times) => {
  const text = `a@${part.repeat(times)}`;
  expect(withoutPeople(text)).toBe(text);
});

test('Addresses are found wherever they begin, and the surrounding text is unchanged', () => {
  expect(withoutPeople('"to":"ada@mail.example",x%40mail.example;=ö@b.ex /prints/p at 203.0.113.7')).toBe(
    '"to":"[email address]",[email address];=[email address] /prints/p at [IP address]',
  );
});
