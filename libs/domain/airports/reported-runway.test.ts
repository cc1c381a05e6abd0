import { expect, test } from 'vitest';
import { runwayEndsNamed } from './reported-runway.ts';

const place = (idents: string, aliases: Record<string, string> = {}) => ({
  airport: { ends: idents.split(' ').map((ident) => ({ ident })) },
  aliases: new Map(Object.entries(aliases)),
});

test.each([
  ['08 26', '08', '08'],
  ['08 26', '07', '08'],
  ['08 26', '25', '26'],
  ['08 26', '09', '08'],
  ['36 18', '01', '36'],
  ['01 19', '36', '01'],
  ['08L 26R 08R 26L', '07L', '08L'],
  ['08L 26R 08R 26L', '25L', '26L'],
  ['08L 26R 08R 26L', '08', '08L 08R'],
  ['08L 26R 08R 26L', '07', '08L 08R'],
  ['25 07', '25R', '25'],
  // Only one direction is in the data.
  ['08', '25', '26'],
  // It may mean either of two runways, or none nearby.
  ['06 24 08 26', '07', ''],
  ['08 26', '10', ''],
  ['08 26', '15', ''],
  ['25L 07R 25C 07C', '25R', ''],
  ['24R 06L 25L 07R', '25R', ''],
])('At an airport with %s the designator %s means %s', (idents, named, meant) =>
  expect(runwayEndsNamed(place(idents), named, []).join(' ')).toBe(meant),
);

test('A stored alias takes precedence over neighbours', () =>
  expect(runwayEndsNamed(place('08 26 06 24', { '07': '06' }), '07', [])).toEqual(['06']));

test('A neighbour named itself is not meant by another designator', () => {
  expect(runwayEndsNamed(place('09 27'), '10', ['09'])).toEqual([]);
  expect(runwayEndsNamed(place('09 27'), '10', ['27'])).toEqual([]);
});
