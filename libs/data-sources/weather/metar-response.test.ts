import { describe, expect, test } from 'vitest';
import { metarObjectSchema, tafObjectSchema } from '#domain/weather/schema.ts';
import { metarResponse, tafResponse } from './metar-response.ts';
import type { TafRecord } from '#domain/weather/types.ts';

const record = {
  icao: 'UWLW',
  observedAt: '2023-03-05T16:00:00.000Z',
  raw: 'SPECI UWLW 051600Z 28009G14MPS 1500 R20/0450N +SN OVC009 M02/M03 Q0990 RERA R20/890355 TEMPO 0600 SHSN RMK AO2 XYZ',
  source: 'AWC',
};
const runways = [
  { ident: '20', trueBearingDeg: 205.3 },
  { ident: '2L', trueBearingDeg: 25.3 },
  { ident: 'H1', trueBearingDeg: 0 },
];
const at = (minutes: number) => new Date(Date.parse(record.observedAt) + minutes * 60_000);

describe('the METAR object', () => {
  const metar = metarResponse(record, runways, at(10));

  test('A SPECI of AWC keeps its text (M-2.11.m1, M-2.11.m2, M-2.11.m3, M-2.11.m4, M-2.11.m5)', () => {
    expect(metarObjectSchema.parse(metar)).toEqual(metar);
    expect(metar).toMatchObject({
      report: 'METAR',
      icao: 'UWLW',
      source: 'AWC',
      date: '2023-03-05 16:00:00',
      text: record.raw,
    });
  });

  test('The highlighted words join to the original text (M-2.11.m6, M-2.11.m8, M-2.11.m11)', () => {
    expect(metar.textHighlighted.map((h) => h.text + (h.spaceSuffix ? ' ' : '')).join('')).toBe(metar.text);
  });

  test('Decoded text has one line per group in a fixed order (M-2.11.m9)', () => {
    expect(metar.decoded.split('\n')).toEqual([
      'Report: SPECI, special report',
      'Station: UWLW',
      'Observed: 2023-03-05 16:00 UTC',
      'Wind: 280 degrees true at 17 kt, gusts 27 kt',
      'Visibility: 1500 m',
      'Runway visual range: runway 20 450 m, no change',
      'Weather: heavy snow',
      'Clouds: overcast at 900 ft',
      'Temperature: -2 C, dew point -3 C',
      'Pressure: QNH 990 hPa (29.23 inHg)',
      'Recent weather: rain',
      'Runway state: runway 20: compacted or rolled snow, coverage 51 to 100 %, depth 3 mm, friction coefficient 0.55',
      'Trend: temporarily: visibility 600 m; weather showers of snow',
      'Remark: automated station with a precipitation discriminator',
      'Remark: XYZ',
    ]);
  });

  test('A true designator in the high Arctic has its own entry (M-2.11.m10)', () => {
    const arctic = metarResponse(record, [{ ident: '08T', trueBearingDeg: 80 }], at(10));
    expect(Object.keys(metarObjectSchema.parse(arctic).metar2SVC)).toEqual(['08t']);
  });

  const reported = (text: string) => ({
    source: 'reported',
    at: record.observedAt,
    text,
    ageMinutes: null,
  });

  test('Each runway has one entry (M-2.11.m10, A-36)', () => {
    expect(Object.keys(metar.metar2SVC).sort()).toEqual(['02l', '20']);
    expect(metar.metar2SVC['20']).toEqual({
      isClosed: false,
      windDir: 280,
      isVariable: false,
      windSpeed: 17,
      gust: 27,
      headwind: 5,
      gustHeadwind: 7,
      crosswindDir: 'R',
      crosswindSpeed: 17,
      vrefAdd: 12,
      qnh: 990,
      temp: -2,
      dew: -3,
      runwayConditionTakeoffDispatch: 'COMPACTED_SNOW',
      runwayConditionLandingDispatch: 'COMPACTED_SNOW',
      runwayConditionLandingEnroute: 'MEDIUM',
      icing: true,
      situation: {
        weather: {
          windDirection: 280,
          windSpeed: 17.49,
          gust: 27.21,
          temperature: -2,
          qnh: 990,
          vrefAdd: 12,
        },
        runwayConditions: {
          takeoffDispatch: { state: 'COMPACTED_SNOW', depth: 0 },
          landingDispatch: { state: 'COMPACTED_SNOW', depth: 0 },
          landingEnroute: { state: 'MEDIUM', depth: 0 },
        },
        rwycc: 3,
        depth: 3,
        coverage: 100,
        sources: {
          ...Object.fromEntries(['wind', 'temperature', 'qnh'].map((part) => [part, reported('METAR')])),
          runwayCondition: reported('METAR: runway state'),
        },
      },
    });
    expect(metar.metar2SVC['02l']).toMatchObject({ headwind: -5, crosswindDir: 'L', vrefAdd: 5 });
  });

  test('An old report is still returned with its age', () => {
    expect(metarResponse(record, runways, at(75)).decoded).not.toContain('Age:');
    const old = metarResponse(record, runways, at(2 * 24 * 60));
    expect(old.decoded.split('\n').at(-1)).toBe('Age: older than 75 minutes');
    expect(old.metar2SVC).toEqual(metar.metar2SVC);
  });

  test('A NIL report yields nulls and no exception', () => {
    const nil = metarResponse({ ...record, raw: 'METAR UWLW 051600Z NIL' }, runways, at(0));
    expect(metarObjectSchema.safeParse(nil).success).toBe(true);
    expect(nil.metar2SVC['20']).toMatchObject({ windDir: null, qnh: null, temp: null, icing: false });
    expect(nil.metar2SVC['20']?.situation.sources).toMatchObject({
      wind: { source: 'assumed', text: 'calm' },
      runwayCondition: { source: 'assumed', text: 'dry' },
    });
    expect(nil.decoded).toContain('no report available');
  });
});

describe('the TAF object', () => {
  test('The forecast has dated periods (M-2.11.t1, M-2.11.t2, M-2.11.t3, M-2.11.t4, M-2.11.t5, M-2.11.t6, M-2.11.t7)', () => {
    const forecast: TafRecord = {
      icao: 'LFPG',
      issuedAt: '2026-09-30T23:00:00.000Z',
      validFrom: '2026-10-01T00:00:00.000Z',
      validTo: '2026-10-02T06:00:00.000Z',
      source: 'AWC',
      raw: 'TAF LFPG 302300Z 0100/0206 30010KT CAVOK TX22/0116Z PROB30 TEMPO 0112/0115 3000 -SHRA FM012000 VRB02KT 9999 NSC',
    };
    const taf = tafResponse(forecast, new Date('2026-10-02T05:59:59Z'));
    expect(tafObjectSchema.parse(taf)).toEqual(taf);
    expect(taf).toMatchObject({ report: 'TAF', icao: 'LFPG', source: 'AWC', date: '2026-09-30 23:00:00' });
    expect(taf.textHighlighted.map((h) => h.text + (h.spaceSuffix ? ' ' : '')).join('')).toBe(taf.text);
    expect(taf.decoded.split('\n')).toEqual([
      'Report: TAF, aerodrome forecast',
      'Station: LFPG',
      'Issued: 2026-09-30 23:00 UTC',
      'Valid: 2026-10-01 00:00 UTC to 2026-10-02 06:00 UTC',
      'Wind: 300 degrees true at 10 kt',
      'Ceiling and visibility: OK: 10 km or more, no cloud below 5,000 ft, no significant weather',
      'Highest temperature: 22 C at 2026-10-01 16:00 UTC',
      'Change: probability 30 %, temporarily from 2026-10-01 12:00 UTC to 2026-10-01 15:00 UTC: visibility 3000 m; weather light showers of rain',
      'Change: from 2026-10-01 20:00 UTC: wind variable at 2 kt; visibility 10 km or more; clouds no significant cloud',
    ]);
    expect(taf.validityHasEnded).toBe(false);
    const ended = tafResponse(forecast, new Date('2026-10-02T06:00:00Z'));
    expect(ended).toEqual({ ...taf, validityHasEnded: true, decoded: `${taf.decoded}\nValidity: has ended` });
  });
});
