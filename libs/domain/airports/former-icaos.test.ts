import { expect, test } from 'vitest';
import { formerIcaosOf, icaoGroups } from './former-icaos.ts';

test('Former codes are the identifier and any code of the same region among the keywords', () => {
  expect(formerIcaosOf('SPJC', 'SPIM', 'SPIM')).toEqual(['SPIM']);
  expect(formerIcaosOf('UZFN', 'UTFN', 'UTFN, UTKN')).toEqual(['UTFN', 'UTKN']);
  expect(formerIcaosOf('UCFM', 'UAFM', 'FRU, UAFM, Manas Air Force Base')).toEqual(['UAFM']);
  expect(formerIcaosOf('FLKK', 'FLLS', '')).toEqual(['FLLS']);
  // Abbreviations of names, identifiers of OurAirports and the code itself.
  expect(formerIcaosOf('WMKK', 'WMKK', 'KLIA')).toEqual([]);
  expect(formerIcaosOf('SBVC', 'BR-0569', '')).toEqual([]);
});

test('Each code finds the others, the current one first', () => {
  const airports = [{ icao: 'WAHS', formerIcaos: ['WARS', 'WIIS'] }];
  const groups = icaoGroups(airports, new Set());
  for (const code of ['WAHS', 'WARS', 'WIIS']) expect(groups.get(code)).toEqual(['WAHS', 'WARS', 'WIIS']);
  expect(groups.get('EDDF')).toBeUndefined();
});

test('A source that still uses the former code is found by the current code', () => {
  const groups = icaoGroups([], new Set(['UTTT']));
  expect(groups.get('UZTT')).toEqual(['UTTT', 'UZTT']);
  expect(groups.get('UTTT')).toEqual(['UTTT', 'UZTT']);
});

test('A code in use, or claimed by two airports, leads to no other airport', () => {
  const both = new Set(['KPBI', 'KDJT']);
  const groups = icaoGroups([{ icao: 'KDJT', formerIcaos: ['KPBI'] }], both);
  expect(groups.get('KPBI')).toBeUndefined();
  const claimed = icaoGroups(
    [
      { icao: 'EDXA', formerIcaos: ['EDXX'] },
      { icao: 'EDXB', formerIcaos: ['EDXX'] },
    ],
    new Set(),
  );
  expect(claimed.get('EDXX')).toBeUndefined();
});
