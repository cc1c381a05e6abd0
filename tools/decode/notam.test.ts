import { expect, test } from 'vitest';
import { decodeNotams } from './notam.ts';

const decode = (text: string) => decodeNotams(text).map((line) => JSON.parse(line) as unknown);

const icao = `A1234/26 NOTAMN
Q) XXFF/QMRLC/IV/NBO/A/000/999/5129N00028W005
A) XXAA B) 2602022230 C) 2602060600
D) MON-FRI 2230-0600
E) RWY 05L/23R CLSD DUE WIP.`;

test('ICAO and FAA texts between blank lines are one JSON line each', () => {
  const lines = decode(`${icao}\r\n\r\n!XYZ 08/123 XYZ RWY 13 LDA 6000FT 2508210234-PERM\n\n\nnonsense\n`);
  expect(lines).toMatchObject([
    {
      number: 'A1234/26',
      fir: 'XXFF',
      airports: ['XXAA'],
      qCode: 'QMRLC',
      from: '2026-02-02T22:30:00.000Z',
      to: '2026-02-06T06:00:00.000Z',
      schedule: 'MON-FRI 2230-0600',
      effects: [
        { kind: 'closed', runway: '05L', use: 'all' },
        { kind: 'closed', runway: '23R', use: 'all' },
      ],
      flags: [],
    },
    {
      number: '08/123',
      airports: ['KXYZ'],
      to: null,
      effects: [{ kind: 'declaredDistance', runway: '13', distance: 'LDA', valueM: 1828.8 }],
    },
    { error: 'no NOTAM number', raw: 'nonsense' },
  ]);
});

test('Empty input gives empty output', () => {
  expect(decode('')).toEqual([]);
  expect(decode('\n\n\n')).toEqual([]);
});
