/** Mistakes in the values of a calculation, each with the part of the answer that explains what to do. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';
import { sender } from '#test/support/sender.ts';
import type { Send } from '#test/support/sender.ts';

let api: TestApi;
let send: Send;
beforeAll(async () => {
  api = await testApi();
  const key = await api.key();
  const { token } = await api.user({ key });
  send = sender(api, { key, token });
  await importAirports(api.context, ['KJFK']);
});
afterAll(() => api.close());

const aircraft = { file: '737-800-7B26' };
const landing = {
  requestType: 'LANDING',
  landingMode: 'inflight',
  aircraft,
  airport: 'KJFK',
  runway: '04L',
  weight: { landingWeight: 60_000 },
};
const takeoff = {
  requestType: 'TAKEOFF',
  aircraft,
  airport: 'KJFK',
  runway: '04L',
  weight: { takeoffWeight: 65_000 },
};
const modeless = { ...landing, landingMode: undefined };

describe('mistaken calculations', () => {
  test.each<[string, object, RegExp]>([
    [
      'Without landingMode, a value of in flight',
      { ...modeless, runwayCondition: { state: 'GOOD' } },
      /^400 .*landingMode: is required: runwayCondition.state fits "inflight", not "dispatch""\]/,
    ],
    [
      'Without landingMode, a value of neither mode',
      { ...modeless, configuration: { flap: '25' } },
      /^400 .*\["landingMode: is missing; "dispatch" was assumed","configuration.flap/,
    ],
    [
      'Without landingMode, a weight that a dispatch ignores',
      modeless,
      /^200 .*landingMode is missing, so "dispatch" was assumed; weight.landingWeight counts only with "inflight"/,
    ],
    [
      'A landingMode in capitals',
      { ...landing, landingMode: 'INFLIGHT' },
      /^400 .*landingMode: did you mean inflight\?/,
    ],
    [
      'A requestType in small letters',
      { ...landing, requestType: 'landing' },
      /^400 .*requestType: did you mean LANDING\?/,
    ],
    ['A flap as a number', { ...landing, configuration: { flap: 30 } }, /^200 .*"calculationPossible":true/],
    [
      'A flap that is not offered',
      { ...landing, configuration: { flap: '25' } },
      /^400 .*configuration.flap: "25" is not one of the options of the 737-800: 40, 40_AUTOLAND, 30, 30_AUTOLAND, 15"/,
    ],
    ['A flap in words', { ...landing, configuration: { flap: 'FLAPS 30' } }, /^400 .*did you mean 30\?/],
    [
      'A brake mode as a number',
      { ...landing, configuration: { autobrake: 3 } },
      /^200 .*"calculationPossible":true/,
    ],
    ['A runway as a number', { ...landing, runway: 4 }, /^404 .*"nearest":\["04L","04R"\]/],
    ['A runway condition code', { ...landing, runwayCondition: { state: 5 } }, /^200 .*"value":"GOOD"/],
    [
      'A runway condition in small letters',
      { ...landing, runwayCondition: { state: 'dry' } },
      /^400 .*did you mean DRY\?/,
    ],
    [
      'A runway condition as a text',
      { ...landing, runwayCondition: 'DRY' },
      /^400 .*runwayCondition: has the members state, depth"/,
    ],
    [
      'A QNH in inHg',
      { ...landing, weather: { qnh: 29.92 } },
      /^200 .*QNH 29.92 hPa is outside 900 hPa to 1085 hPa. Is it inHg\? Then units.pressure is "inhg"/,
    ],
    [
      'A QNH in inHg without its point',
      { ...landing, weather: { qnh: 2992 } },
      /^200 .*Is it inHg without its point/,
    ],
    [
      'A QNH in hPa where inHg is expected',
      { ...landing, units: { pressure: 'inhg' }, weather: { qnh: 1013 } },
      /^200 .*Is it hPa\?/,
    ],
    [
      'A QNH in quotes',
      { ...landing, weather: { qnh: '1013' } },
      /^400 .*weather.qnh: is a text; send the number without quotes/,
    ],
    ['A weight in tonnes', { ...landing, weight: { landingWeight: 60 } }, /^200 .*Is it in tonnes\? Send kg/],
    [
      'A weight in lb',
      { ...landing, weight: { landingWeight: 132_000 } },
      /^200 .*Is it in lb\? Then units.weight is "lb"/,
    ],
    [
      'A weight in kg where lb is expected',
      { ...landing, units: { weight: 'lb' } },
      /^200 .*Is it in kg\? Then units.weight is "kg"/,
    ],
    ['A unit in capitals', { ...landing, units: { weight: 'KG' } }, /^400 .*units.weight: did you mean kg\?/],
    [
      'A unit in the plural',
      { ...landing, units: { distance: 'meters' } },
      /^400 .*units.distance: did you mean meter\?/,
    ],
    [
      'One unit for all',
      { ...landing, units: 'metric' },
      /^400 .*units: has the members weight, wind, altitude, distance, depth, pressure"/,
    ],
    [
      'A boolean in quotes',
      { ...landing, assess: 'true' },
      /^400 .*assess: send true or false without quotes/,
    ],
    [
      'A single item of a list',
      { ...landing, inopItems: { mel: '32-42-01' } },
      /^400 .*inopItems.mel: send a list, also of one/,
    ],
    [
      'The airport as icao',
      { ...landing, airport: undefined, icao: 'KJFK' },
      /^400 .*icao: is not known; did you mean airport\?/,
    ],
    [
      'An aircraft as a text',
      { ...landing, aircraft: '737-800-7B26' },
      /^400 .*aircraft: has the members file, userRegistration, virtualAirline"/,
    ],
    [
      'A type for an aircraft',
      { ...landing, aircraft: { file: 'b738' } },
      /^404 .*B738 is a type; its profiles are 737-800-7B24, 737-800-7B26/,
    ],
    [
      'A registration without a fleet',
      { ...landing, aircraft: { ...aircraft, userRegistration: 'D-ABCD' } },
      /^404 .*D-ABCD is not in your fleet, which has no profile/,
    ],
    [
      'A takeoff flap as a number',
      { ...takeoff, configuration: { flap: 5 } },
      /^200 .*"calculationPossible":true/,
    ],
    [
      'A takeoff flap that is not offered',
      { ...takeoff, configuration: { flap: '3' } },
      /^400 .*options of the 737-800: OPTIMUM, 1, 5, 10, 15, 25"/,
    ],
    ['A takeoff runway as a number', { ...takeoff, runway: 4 }, /^404 .*"nearest":\["04L","04R"\]/],
    ['A takeoff with a QNH in inHg', { ...takeoff, weather: { qnh: 29.92 } }, /^200 .*Is it inHg\?/],
    [
      'A takeoff on a condition code',
      { ...takeoff, runwayCondition: { state: 5 } },
      /^400 .*"5" is not one of the options of the 737-800: DRY, WET/,
    ],
    [
      'An assumed temperature in quotes',
      { ...takeoff, configuration: { assumedTemperature: '50' } },
      /^400 .*must be one of AUTO, NONE, or a number/,
    ],
    [
      'A lineup angle in quotes',
      { ...takeoff, lineupAngle: '90' },
      /^400 .*lineupAngle: must be 0, or 90, or 180/,
    ],
    [
      'A takeoff on a runway without id',
      { ...takeoff, runway: { tora: 3_000 } },
      /^400 .*runway.ident: is required/,
    ],
    [
      'A list of calculations',
      [landing],
      /^400 .*data: must be an object.*data: is a list; send one object that has the members requestType/,
    ],
  ])('%s: the answer says what to do', async (_, data, line) => {
    const answer = await send({ query: 'performance', data });
    expect(answer).toMatch(line);
    expect(answer).not.toContain('formData');
  });

  test('A table for an airport uses the same wording', async () => {
    const table = { aircraft, airport: 'KJFK' };
    const ask = (more: object) => send({ query: 'performanceAirport', data: { ...table, ...more } });
    expect(await ask({ weather: { qnh: 29.92 } })).toMatch(/^200 .*Is it inHg\?/);
    expect(await ask({ aircraft: { file: 'B738' } })).toMatch(/^404 .*B738 is a type/);
    expect(await ask({ units: 'metric' })).toMatch(/^400 .*units: has the members/);
    expect(await ask({ airport: 'KJF' })).toMatch(/^400 .*airport: must be an ICAO code/);
  });

  test('A registration that nearly matches one in the fleet is answered with that one', async () => {
    const profile = {
      registration: 'D-ABCE',
      basedOnProfile: '737-800-7B26',
      profileData: { profile: { title: 'Mine' } },
    };
    expect(await send({ query: 'fleetSave', data: profile })).toMatch(/^200 /);
    expect(
      await send({
        query: 'performance',
        data: { ...landing, aircraft: { ...aircraft, userRegistration: 'D-ABCD' } },
      }),
    ).toMatch(/^404 .*"nearest":\["D-ABCE"\].*D-ABCD is not in your fleet/);
  });
});
