/** Scenario J-01: from a new account to a landing, calculated and drawn. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from './client.ts';
import type { Body } from './client.ts';
import { expectThat, step, table } from './print.ts';
import type { Service } from './service.ts';

interface CatalogueEntry {
  profile: { title: string; file: string };
  model: { manufacturer: string };
}
interface RunwayWeather {
  windDir: number | null;
  windSpeed: number;
  headwind: number;
  qnh: number;
  temp: number;
  runwayConditionLandingDispatch: string;
  runwayConditionLandingEnroute: string;
}
interface BrakeRow {
  label: string;
  airDistance: number;
  unfactoredDistance: number;
  landingDistance: number;
  factoredDistance: number;
  factoredDistanceIsAboveLDA: boolean;
}

const airport = 'KJFK';
const metric = {
  weight: 'kg',
  wind: 'kt',
  distance: 'meter',
  altitude: 'feet',
  pressure: 'hpa',
  depth: 'mm',
};

const reportsFor = async (call: (query: string, data: Body) => Promise<Body>): Promise<Body> => {
  // The first weather run starts with the service; it may need a moment.
  for (let tries = 0; tries < 40; tries += 1) {
    const answer = await call('weather', { icao: airport });
    if (answer['metar']) return answer;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`no METAR of ${airport} arrived within 10 s`);
};

export const firstFlight = async (service: Service): Promise<void> => {
  const key = await step('developer key', async () => {
    const permissions = 'user_info=FULL,weather,efb,library,subscription=READ';
    const made = await service.ops('devkey', 'create', '--name', 'demo', '--permissions', permissions);
    expectThat(typeof made['key'] === 'string', 'no developer key was created');
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
    const answer = await reportsFor(client.call);
    const metar = answer['metar'] as { text: string; metar2SVC: Record<string, RunwayWeather> };
    return { summary: metar.text, value: metar };
  });
  const [runway, entry] =
    Object.entries(weather.metar2SVC).sort((a, b) => b[1].headwind - a[1].headwind)[0] ?? [];
  expectThat(runway !== undefined && entry !== undefined, 'the METAR has no runway block');

  const base = {
    requestType: 'LANDING',
    units: metric,
    aircraft,
    airport,
    runway: runway.toUpperCase(),
    weather: {
      windDirection: entry.windDir ?? 0,
      windSpeed: entry.windSpeed,
      headwind: entry.headwind,
      temperature: entry.temp,
      qnh: entry.qnh,
    },
  };
  const landingWeight = await step('performance, dispatch', async () => {
    const runwayCondition = { state: entry.runwayConditionLandingDispatch };
    const body = await client.call('performance', { ...base, landingMode: 'dispatch', runwayCondition });
    expectThat(body['calculationPossible'] === true, `not possible: ${JSON.stringify(body['error'])}`);
    const result = body['performance'] as Record<string, number | string>;
    const summary = `runway ${runway.toUpperCase()}: ${result['landingWeight']} kg, limited by ${result['limitedBy']}, required ${result['requiredLandingDist']} m of ${result['lda']} m`;
    return { summary, value: Number(result['landingWeight']) };
  });
  const inflight = await step('performance, in flight', async () => {
    const weight = { landingWeight: landingWeight - 5_000 };
    const runwayCondition = { state: entry.runwayConditionLandingEnroute };
    const body = await client.call('performance', {
      ...base,
      landingMode: 'inflight',
      weight,
      runwayCondition,
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

  const { factored } = inflight.result['graphic'] as { factored: Record<'svg' | 'png' | 'jpg', string> };
  await step('the drawing', async () => {
    const response = await fetch(factored.svg);
    expectThat(
      response.headers.get('content-type')?.startsWith('image/svg+xml'),
      `the drawing is ${response.headers.get('content-type')}`,
    );
    const path = join(service.folder, 'landing.svg');
    await writeFile(path, Buffer.from(await response.arrayBuffer()));
    const png = await fetch(factored.png);
    expectThat(png.headers.get('content-type') === 'image/png', 'there is no PNG');
    return { summary: `${factored.svg}, kept as ${path}`, value: null };
  });
  await step('userStatistics', async () => {
    const body = (await client.call('userStatistics')) as {
      calculations: Record<string, number>;
      allowance30d: Record<string, number>;
    };
    const { landingDispatch, landingEnroute } = body.calculations;
    expectThat(landingDispatch === 1 && landingEnroute === 1, 'the two calculations were not counted');
    const { remaining, totalAllowed } = body.allowance30d;
    expectThat(remaining === before - 2, `the remaining calculations are ${remaining}, not ${before - 2}`);
    return {
      summary: `1 dispatch, 1 in flight, ${remaining} of ${totalAllowed} calculations left`,
      value: null,
    };
  });
};
