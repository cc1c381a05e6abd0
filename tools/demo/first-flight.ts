/** Scenario J-01: from a new account to a landing, calculated and drawn, and a takeoff. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { briefFlight, fetchDrawn } from './briefing.ts';
import { createClient } from './client.ts';
import type { Body } from './client.ts';
import { expectThat, step, table } from './print.ts';
import type { Service } from './service.ts';
import { airport, briefOf, explainMissing, landingOf, metarOf, surfacesOf } from './weather.ts';

interface CatalogueEntry {
  profile: { title: string; file: string };
  model: { manufacturer: string };
}
interface BrakeRow {
  label: string;
  airDistance: number;
  unfactoredDistance: number;
  landingDistance: number;
  factoredDistance: number;
  factoredDistanceIsAboveLDA: boolean;
}

const metric = {
  weight: 'kg',
  wind: 'kt',
  distance: 'meter',
  altitude: 'feet',
  pressure: 'hpa',
  depth: 'mm',
};

/** Data added to the service by the flight. */
export interface Traces {
  keyId?: number;
  email?: string;
}

/** Every step throws if the result differs from the specification. False: without weather, in still air. */
export const firstFlight = async (service: Service, traces: Traces): Promise<boolean> => {
  const key = await step('developer key', async () => {
    const permissions = '--user-info FULL --weather yes --efb yes --library yes --subscription READ';
    const made = await service.ops('devkey', 'create', '--name', 'demo', ...permissions.split(' '));
    expectThat(typeof made['key'] === 'string', 'no developer key was created');
    traces.keyId = Number(made['id']);
    return { summary: permissions, value: made['key'] };
  });
  const client = createClient(service.url, key);
  const email = `demo.${Date.now()}@example.org`;
  const password = 'three greens and a flare';

  await step('register', async () => {
    const body = await client.call('register', {
      email,
      password,
      firstname: 'Renée',
      lastname: 'Décollage',
    });
    traces.email = email;
    const user = body['user'] as Body;
    expectThat(user['crewcode'] === 'DECOLR', `crew code is ${String(user['crewcode'])}, not DECOLR`);
    return { summary: `${email}, crew code ${user['crewcode']}`, value: null };
  });
  await step('login', async () => {
    const body = await client.call('login', { email, password });
    client.useToken(String(body['token']));
    return { summary: `token until ${String(body['expires'])}`, value: null };
  });
  await step('refreshUserData', async () => {
    const { user } = (await client.call('refreshUserData')) as { user: { userPreferences: Body } };
    const { defaultUnit, onlineServer } = user.userPreferences;
    expectThat(defaultUnit === 'METRIC' && onlineServer === 'None', 'preferences are not the defaults');
    return { summary: `defaults ${defaultUnit}, ${onlineServer}`, value: null };
  });
  const catalogue = await step('allowedAircrafts', async () => {
    const body = await client.call('allowedAircrafts');
    const entries = body['availableAircraft'] as CatalogueEntry[];
    for (const maker of ['Airbus', 'Boeing']) {
      expectThat(
        entries.some(({ model }) => model.manufacturer === maker),
        `no aircraft of ${maker}`,
      );
    }
    return { summary: `${entries.length} aircraft`, value: entries };
  });
  const file =
    (catalogue.find(({ profile }) => profile.file.startsWith('737-800')) ?? catalogue[0])?.profile.file ?? '';
  const aircraft = { file, userRegistration: null, virtualAirline: null };

  const before = await step('aircraft', async () => {
    const body = await client.call('aircraft', {
      aircraft: file,
      userRegistration: null,
      virtualAirline: null,
    });
    const airports = body['availableAirport'] as { icao: string }[];
    expectThat(
      airports.some(({ icao }) => icao === airport),
      `${airport} is not among the airports`,
    );
    return { summary: `${file}, ${airports.length} airports`, value: Number(body['remainingCalculations']) };
  });
  const weather = await step('weather', async () => {
    const metar = await metarOf(service, client.call);
    return { summary: metar?.text ?? 'none', value: metar };
  });
  if (weather === null) await explainMissing(service);
  await step('weatherRoute', async () => {
    const waypoints = [
      { ident: 'KBOS', latitude: 42.3643, longitude: -71.0052, flightLevel: 0 },
      { latitude: 41.5564, longitude: -71.9994, flightLevel: 230 },
      { ident: airport, latitude: 40.6399, longitude: -73.7787, flightLevel: 0 },
    ];
    const route = await client.call('weatherRoute', { waypoints });
    const [points, hazards, airports] = ['points', 'hazards', 'airports'].map(
      (name) => route[name] as unknown[],
    );
    expectThat(points?.length === 3 && airports !== undefined, 'weatherRoute lacks points or airports');
    return {
      summary: `${String(route['distance'])} NM, ${airports?.length} airports, ${hazards?.length} SIGMETs`,
      value: null,
    };
  });
  await step('weatherBatch', async () => ({
    summary: await briefOf(client.call, [airport, 'KBOS', 'KLAX']),
    value: null,
  }));
  await step('runway reports', async () => ({
    summary: await surfacesOf(client.call, airport),
    value: null,
  }));
  const landing = landingOf(weather);
  const base = {
    requestType: 'LANDING',
    units: metric,
    aircraft,
    airport,
    runway: landing.runway,
    ...landing.weather,
  };
  const landingWeight = await step('performance, dispatch', async () => {
    const body = await client.call('performance', { ...base, landingMode: 'dispatch', ...landing.dispatch });
    expectThat(body['calculationPossible'] === true, `not possible: ${JSON.stringify(body['error'])}`);
    const result = body['performance'] as Record<string, number | string>;
    const summary = `runway ${landing.runway}: ${result['landingWeight']} kg, limited by ${result['limitedBy']}, required ${result['requiredLandingDist']} m of ${result['lda']} m`;
    return { summary, value: Number(result['landingWeight']) };
  });
  const inflight = await step('performance, in flight', async () => {
    const weight = { landingWeight: landingWeight - 5_000 };
    const body = await client.call('performance', {
      ...base,
      landingMode: 'inflight',
      weight,
      ...landing.inflight,
    });
    expectThat(body['calculationPossible'] === true, `not possible: ${JSON.stringify(body['error'])}`);
    const result = body['performance'] as Body & { autobrakeLandingDist: BrakeRow[] };
    const distances = result.autobrakeLandingDist.map((row) => row.factoredDistance);
    expectThat(
      distances.every((d, i) => i === 0 || d >= (distances[i - 1] ?? 0)),
      'the brake modes are not sorted',
    );
    return {
      summary: `${weight.landingWeight} kg, Vapp ${String(result['vApp'])} kt`,
      value: { result, caution: body['caution'] as string[] },
    };
  });
  table(
    ['mode', 'air m', 'actual m', 'landing m', 'factored m', 'fits'],
    inflight.result.autobrakeLandingDist.map((row) => [
      row.label,
      row.airDistance,
      row.unfactoredDistance,
      row.landingDistance,
      row.factoredDistance,
      row.factoredDistanceIsAboveLDA ? 'no' : 'yes',
    ]),
  );
  for (const caution of inflight.caution) console.log(`    caution: ${caution}`);

  /** Fetches a drawing, stores its SVG, and returns the path. */
  const keep = async (picture: Record<'svg' | 'png' | 'jpg', string>, name: string): Promise<string> => {
    const response = await fetch(picture.svg);
    const type = response.headers.get('content-type');
    expectThat(type?.startsWith('image/svg+xml'), `the drawing is ${type}`);
    const path = join(service.folder, name);
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    return `${picture.svg}, kept as ${path}`;
  };

  const { factored } = inflight.result['graphic'] as { factored: Record<'svg' | 'png' | 'jpg', string> };
  await step('the drawing', async () => {
    const summary = await keep(factored, 'landing.svg');
    const png = await fetchDrawn(factored.png);
    expectThat(png.headers.get('content-type') === 'image/png', 'there is no PNG');
    return { summary, value: null };
  });
  const takeoff = await step('performance, takeoff', async () => {
    const body = await client.call('performance', {
      ...base,
      requestType: 'TAKEOFF',
      weight: { takeoffWeight: landingWeight },
      ...landing.dispatch,
    });
    expectThat(body['calculationPossible'] === true, `not possible: ${JSON.stringify(body['error'])}`);
    const result = body['performance'] as Body;
    const { flap, v1, vR, v2, assumedTemperature, limitedBy } = result as Record<
      string,
      number | string | null
    >;
    const summary = `flap ${flap}, ${v1}/${vR}/${v2} kt, assumed ${assumedTemperature ?? 'none'} °C, at most ${String(result['maxTakeoffWeight'])} kg (${limitedBy})`;
    return { summary, value: result['graphic'] as { takeoff: Record<'svg' | 'png' | 'jpg', string> } };
  });
  await step('its drawing', async () => ({
    summary: await keep(takeoff.takeoff, 'takeoff.svg'),
    value: null,
  }));
  await step('briefing', async () => ({ summary: await briefFlight(service, client.call), value: null }));
  await step('userStatistics', async () => {
    const body = (await client.call('userStatistics')) as {
      calculations: Record<string, number>;
      allowance30d: Record<string, number>;
    };
    const { landingDispatch, landingEnroute, takeoff: takeoffs } = body.calculations;
    expectThat(
      landingDispatch === 1 && landingEnroute === 1 && takeoffs === 1,
      'the three calculations were not counted',
    );
    const { remaining, totalAllowed } = body.allowance30d;
    expectThat(remaining === before - 3, `the remaining calculations are ${remaining}, not ${before - 3}`);
    return {
      summary: `1 dispatch, 1 in flight, 1 takeoff, ${remaining} of ${totalAllowed} calculations left`,
      value: null,
    };
  });
  return weather !== null;
};
