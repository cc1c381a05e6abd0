import { expect, test } from 'vitest';
import { identDegrees, normaliseRunwayIdent, reciprocalIdent, runwayPair, splitRunwayPair } from './ident.ts';
import { formatVariant, parseVariant } from './variant.ts';

test.each([
  ['6L', '06L'],
  ['06L', '06L'],
  ['9', '09'],
  ['36', '36'],
  [' 27r ', '27R'],
  ['02T', '02T'],
  ['06 R', '06R'],
  ['6 r', '06R'],
  ['RWY 06 R', '06R'],
  ['Runway 24', '24'],
])('%s is %s', (text, expected) => {
  expect(normaliseRunwayIdent(text)).toBe(expected);
});

test.each(['H1', 'NE', '', '18W', '12G', '37', '00', '0', 'XX', '28H', '123', '6LR'])(
  '%s is not a runway',
  (text) => {
    expect(normaliseRunwayIdent(text)).toBeNull();
  },
);

test('The reciprocal end, the heading and the pair follow from the runway designator', () => {
  expect(['06L', '18', '36', '01C', '02T'].map(reciprocalIdent)).toEqual(['24R', '36', '18', '19C', '20T']);
  expect(identDegrees('06L')).toBe(60);
  expect(splitRunwayPair('6L/24R')).toEqual(['06L', '24R']);
  expect(splitRunwayPair('H1')).toBeNull();
  expect(runwayPair('24R', '06L')).toBe('06L/24R');
});

test('Runway variants are recognised as written', () => {
  for (const text of ['07L', '07L/A5', '07L.N1', '07L/A5.N12', '07L.N3.N12']) {
    const variant = parseVariant(text);
    expect(variant && formatVariant(variant)).toBe(text);
  }
  expect(parseVariant('7l/a5')).toEqual({ ident: '07L', intersection: 'A5', notams: [] });
  expect(parseVariant('07L.N12.N3.N3')?.notams).toEqual([3, 12]);
  expect(['', '7X', '07L/', '07L.N', '07L.1', 'H1/A'].map(parseVariant)).toEqual(Array(6).fill(null));
});
