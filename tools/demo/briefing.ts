/** A synthetic flight plan, its briefing, and the briefing's PDF. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { planJsonOf } from '#simulated/planner/formats.ts';
import { syntheticPlan } from '#simulated/planner/plan.ts';
import type { Client } from './client.ts';
import { expectThat } from './print.ts';
import type { Service } from './service.ts';
import { hourMs } from '#domain/time.ts';

const place = (icao: string, latitude: number, longitude: number, runway: string) => ({
  icao,
  iata: icao.slice(1),
  name: icao,
  latitude,
  longitude,
  elevationFt: 20,
  runway,
  metar: '',
});

/** Boston to New York in an hour, in a 737-800. */
const planNow = (): unknown => {
  const now = Date.now();
  const tree = syntheticPlan({
    userId: 1,
    requestId: String(now),
    staticId: '',
    generatedAt: new Date(now),
    out: new Date(now + hourMs),
    origin: place('KBOS', 42.3643, -71.0052, '04R'),
    destination: place('KJFK', 40.6399, -73.7787, '04L'),
    alternates: [],
    aircraft: { icao: 'B738', name: '737-800', engines: 'CFM56-7B26', registration: 'N0DEMO' },
    units: 'kgs',
    loads: { oew: 41_400, payload: 12_000, maxZfw: 62_700, maxTow: 79_000, maxLdw: 66_300, burn: 2_900 },
    cruiseFt: 23_000,
    costIndex: '30',
    fixes: 8,
    isEtops: false,
    hasTlr: false,
    notamCharacters: 0,
    pilot: 'DEMO',
  });
  return planJsonOf(tree);
};

interface Briefed {
  departure: { weatherUsed: { source: string | null } } | null;
  destination: { weatherUsed: { source: string | null }; notams: unknown[] } | null;
  route: { hazards: { crosses: boolean }[]; pirepCount: number } | null;
  files: { pdf: string };
}

const retrySeconds = 60;

/** A worker draws it at the first request, which may have to be repeated. */
export const fetchDrawn = async (url: string): Promise<Response> => {
  const until = performance.now() + retrySeconds * 1_000;
  let response = await fetch(url);
  while (response.status === 503 && performance.now() < until) response = await fetch(url);
  return response;
};

/** Imports a plan and returns its briefing in a line, and where its PDF is stored. */
export const briefFlight = async (service: Service, call: Client['call']): Promise<string> => {
  const { ofpId } = await call('ofpImport', { source: 'json', document: planNow() });
  const body = await call('briefing', { ofpId, performance: false, files: true });
  const { departure, destination, route, files } = body as unknown as Briefed;
  expectThat(
    departure !== null && destination !== null && route !== null,
    'the briefing lacks an aerodrome or the route',
  );
  const crossed = route.hazards.filter(({ crosses }) => crosses).length;
  const pdf = await fetchDrawn(files.pdf);
  const type = pdf.headers.get('content-type');
  expectThat(type === 'application/pdf', `the briefing is ${type}, status ${pdf.status}`);
  const path = join(service.folder, 'briefing.pdf');
  await writeFile(path, Buffer.from(await pdf.arrayBuffer()));
  const from = `${departure.weatherUsed.source ?? 'no report'} and ${destination.weatherUsed.source ?? 'no report'}`;
  return `by ${from}, ${destination.notams.length} NOTAM, ${crossed} SIGMETs crossed, ${route.pirepCount} pilots' reports, kept as ${path}`;
};
