import { expect, test } from 'vitest';
import { sharedData } from '#test/support/shared-data.ts';
import { SourceError } from '../source-error.ts';
import { parseCof } from './cof.ts';
import { wmm2025 } from './coefficients.ts';

const asFile = (header = '    2025.0            WMM-2025     11/13/2024'): string =>
  [header, ...wmm2025.rows.map((row) => `  ${row.join('   ')}`), '9'.repeat(48), '9'.repeat(48), ''].join(
    '\n',
  );

test('A coefficient file becomes a model', () => {
  expect(parseCof(asFile())).toEqual(wmm2025);
  expect(parseCof(asFile('2030.0 WMM-2030 12/10/2029'))).toMatchObject({
    name: 'WMM2030',
    epoch: 2030,
    validUntil: 2035,
  });
});

test('Any other file is refused by name', () => {
  expect(() => parseCof('<html></html>')).toThrow(SourceError);
  expect(() => parseCof(asFile().slice(0, 900))).toThrow(/coefficient/);
  expect(() => parseCof(asFile().replace('-29351.8', 'x'))).toThrow('Not a line of coefficients');
});

test('The published file equals the coefficients in the code', () => {
  expect(parseCof(sharedData('airports/wmm').text('WMM2025.COF'))).toEqual(wmm2025);
});
