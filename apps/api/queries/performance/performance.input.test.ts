/** Fields of the landing request: defaults, units, options. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { importAirports } from '#test/support/airports.ts';

let api: TestApi;
let user: TestUser;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  await importAirports(api.context, ['KJFK']);
  await api.grant(user, 'EFB_COMMERCIAL_Y');
});
afterAll(() => api.close());

type Fields = Record<string, unknown>;
const boeing = '737-800-7B26';
const airbus = 'A320-251N';
const request = (file: string, more: Fields = {}): Fields => ({
  requestType: 'LANDING',
  landingMode: 'inflight',
  aircraft: { file, userRegistration: null, virtualAirline: null },
  airport: 'KJFK',
  runway: '04L',
  weight: { landingWeight: 60_000 },
  ...more,
});

const ask = async (data: Fields) => {
  const answer = await api.call('performance', { token: user.token, data });
  const error = answer.body['error'] as { code?: string; details?: string[] } | undefined;
  return { status: answer.status, code: error?.code, details: error?.details ?? [], body: answer.body };
};
const result = async (data: Fields): Promise<Fields> => {
  const { status, body } = await ask(data);
  expect([status, body['calculationPossible'], body['error']]).toEqual([200, true, undefined]);
  const { graphic: _, ...performance } = body['performance'] as Fields;
  return performance;
};
const expectRefused = async (data: Fields, field: string) => {
  const { status, code, details } = await ask(data);
  expect([status, code]).toEqual([400, 'INVALID_INPUT']);
  expect(
    details.some((line) => line.startsWith(field)),
    details.join(),
  ).toBe(true);
};
const without = (data: Fields, ...path: string[]): Fields => {
  const [first = '', ...rest] = path;
  const { [first]: inner, ...others } = data;
  return rest.length === 0 ? others : { ...others, [first]: without(inner as Fields, ...rest) };
};

describe('required fields', () => {
  test('Request type, aircraft file, airport and runway are required (M-1.1, M-4.7.q3, M-4.7.p8, M-4.7.p11)', async () => {
    await expectRefused(without(request(boeing), 'requestType'), 'requestType');
    await expectRefused(request(boeing, { requestType: 'CRUISE' }), 'requestType');
    await expectRefused(without(request(boeing), 'aircraft', 'file'), 'aircraft.file');
    await expectRefused(without(request(boeing), 'airport'), 'airport');
    await expectRefused(without(request(boeing), 'runway'), 'runway');
  });

  test('The landing weight is required in flight and ignored at dispatch (M-4.7.p30)', async () => {
    await expectRefused(without(request(boeing), 'weight'), 'weight.landingWeight');
    const dispatch = (weight: Fields) => result(request(boeing, { landingMode: 'dispatch', weight }));
    expect(await dispatch({ landingWeight: 1 })).toEqual(await dispatch({}));
  });
});

describe('bounds', () => {
  test('A text or list beyond its bound is refused with the field and the bound', async () => {
    const long = 'X'.repeat(200_000);
    for (const [more, line] of [
      [
        { configuration: { nonNormalCondition: long } },
        'configuration.nonNormalCondition: must be one of the options of the query aircraft, a text of at most 60 characters',
      ],
      [{ runway: long }, 'runway: must be a runway id such as "04L", a text of at most 40 characters'],
      [{ inopItems: { mel: Array(51).fill('X') } }, 'inopItems.mel: must be a list of at most 50 items'],
      [
        { inopItems: { cdl: [long] } },
        'inopItems.cdl.0: must be one of the options of the query aircraft, a text of at most 60 characters',
      ],
      [{ airport: long }, 'airport: must be an ICAO code'],
    ] as const) {
      const { status, code, details } = await ask(request(boeing, more));
      expect([status, code, details]).toEqual([400, 'INVALID_INPUT', [line]]);
    }
  });
});

describe('defaults and units', () => {
  test('Omitting QNH 1013 hPa, 15 degrees, no wind and a dry runway equals giving them (M-4.7.p17)', async () => {
    const said = await result(
      request(boeing, {
        weather: { windDirection: 0, windSpeed: 0, temperature: 15, qnh: 1013 },
        runwayCondition: { state: 'DRY', depth: 0 },
        configuration: {
          antiIce: 'OFF',
          reverser: 'ALL',
          speedbrake: 'AUTO',
          vrefAdditive: 0,
          missedApproachClimbGradient: 2.5,
        },
        units: { weight: 'kg', wind: 'kt', altitude: 'feet', distance: 'feet', depth: 'mm', pressure: 'hpa' },
      }),
    );
    expect(await result(request(boeing))).toEqual(said);
    expect(await result(request(boeing, { weather: { qnh: 970 } }))).not.toEqual(said);
    const mercury = await result(request(boeing, { units: { pressure: 'inhg' }, weather: { qnh: 29.92 } }));
    expect(mercury['vRef']).toBe(said['vRef']);
  });

  test('Altitudes are accepted in feet or metres (M-4.7.p4)', async () => {
    const feet = Number((await result(request(boeing)))['goAroundAltitude']);
    const metres = Number(
      (await result(request(boeing, { units: { altitude: 'meter' } })))['goAroundAltitude'],
    );
    expect(Math.abs(metres - feet * 0.3048)).toBeLessThanOrEqual(1);
  });
});

describe('options', () => {
  test('The flap is OPTIMUM for family A and the default option for family B, with and without the autoland suffix (M-4.7.p20, M-1.4)', async () => {
    expect(['FULL', '3']).toContain((await result(request(airbus, { landingMode: 'dispatch' })))['flap']);
    const { body } = await api.call('aircraft', {
      token: user.token,
      data: { aircraft: boeing, userRegistration: null, virtualAirline: null },
    });
    const { formData } = body['aircraft'] as {
      formData: { landing: { flap: { value: string; isDefault: boolean }[] } };
    };
    const flaps = formData.landing.flap;
    expect((await result(request(boeing)))['flap']).toBe(flaps.find(({ isDefault }) => isDefault)?.value);
    const autoland = flaps.find(({ value }) => value.includes('AUTOLAND'))?.value;
    expect(autoland).toBeDefined();
    const landed = await result(request(boeing, { configuration: { flap: autoland } }));
    expect(Number(landed['vrefAdditive'])).toBeGreaterThanOrEqual(5);
    await expectRefused(request(boeing, { configuration: { flap: 'OPTIMUM' } }), 'configuration.flap');
    await expectRefused(request(boeing, { configuration: { flap: '15_AUTOLAND' } }), 'configuration.flap');
  });

  test('Approach type and landing technique are inputs of family A only (M-4.7.p27, M-4.7.p29)', async () => {
    const plain = await result(request(airbus));
    for (const approachType of ['CAT_II', 'AUTOLAND', 'MANUAL_LDG'])
      await result(request(airbus, { configuration: { approachType } }));
    expect(await result(request(airbus, { configuration: { landingTechnique: 'MANUAL' } }))).toEqual(plain);
    expect(await result(request(airbus, { configuration: { landingTechnique: 'AUTO_LDG' } }))).not.toEqual(
      plain,
    );
    await expectRefused(
      request(airbus, { configuration: { approachType: 'CAT_IX' } }),
      'configuration.approachType',
    );
    await expectRefused(
      request(boeing, { configuration: { approachType: 'CAT_II' } }),
      'configuration.approachType',
    );
    await expectRefused(
      request(boeing, { configuration: { landingTechnique: 'MANUAL' } }),
      'configuration.landingTechnique',
    );
    await result(request(boeing, { configuration: { approachType: null, landingTechnique: null } }));
  });

  test('The centre of gravity is a percentage for family B or a position of the profile (M-4.7.p31, M-4.7.p32)', async () => {
    await result(request(boeing, { weight: { landingWeight: 60_000, cg: 22.5 } }));
    await expectRefused(request(boeing, { weight: { landingWeight: 60_000, cg: 122 } }), 'weight.cg');
    await expectRefused(
      request(boeing, { weight: { landingWeight: 60_000, cgPosition: 'NOWHERE' } }),
      'weight.cgPosition',
    );
  });
});
