import { expect, test } from 'vitest';
import { faaAirports } from './faa-nasr.ts';

const nasr = JSON.stringify({
  meta: { nasrCycleDate: '2026-09-03' },
  records: [
    { faaId: 'NOICAO' },
    {
      icao: 'KXYZ',
      name: 'XYZ MUNI',
      facilityType: 'AIRPORT',
      country: 'US',
      lat: 40,
      lon: -73,
      elevationFt: 13,
      runways: [
        {
          id: '04L/22R',
          lengthFt: 12_079,
          widthFt: 200,
          surfaceType: 'CONC',
          ends: [
            {
              id: '04L',
              toraFt: 11_351,
              todaFt: 11_351,
              asdaFt: 11_470,
              ldaFt: 11_010,
              displacedThresholdFt: 460,
            },
            { id: '22R', toraFt: 12_079, ldaFt: 7_795, displacedThresholdFt: 3_424 },
          ],
        },
      ],
    },
    { name: 'STRIP' },
  ],
});

test('Airports with an ICAO code are bundled with their official distances', () => {
  expect(faaAirports(nasr)).toMatchObject({
    date: '2026-09-03',
    airports: [
      {
        icao: 'KXYZ',
        name: 'Xyz Muni',
        type: 'other',
        runways: [
          {
            surfaceText: 'CONC',
            low: { ident: '04L', official: { source: 'faa_nasr', toraFt: 11_351, ldaFt: 11_010 } },
            high: { ident: '22R', displacedThresholdFt: 3_424, official: { asdaFt: null, ldaFt: 7_795 } },
          },
        ],
      },
    ],
  });
  expect(() => faaAirports('{"records":[]}')).toThrow(/meta/);
});
