import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RawAirport } from '#domain/airports/build.ts';
import { notamTexts, obstacleDat, overpassAnswer, zipOfOne } from './aerodromes.ts';
import { airportsCsv, awcMetars, awcTafs, runwaysCsv } from './formats.ts';
import { ivaoAtis, ivaoWhazzup, vatsimData } from './networks.ts';
import type { ContentFault } from './formats.ts';
import { simulatedPlanner } from './planner/service.ts';
import { pirepCsv } from './pireps.ts';
import { sigmetList } from './sigmets.ts';
import { simulatedAirports, simulatedStations } from './stations.ts';
import { surfaceTexts } from './surface-reports.ts';
import { simulatedWinds } from './winds.ts';

/** Where the simulated server has what a variable of the service names. */
const pathOfVariable: Readonly<Record<string, string>> = {
  METAR_URL: '/metars.cache.xml.gz',
  METAR_FALLBACK_URL: '/metar/{HH}Z.TXT',
  TAF_URL: '/tafs.cache.xml.gz',
  TAF_FALLBACK_URL: '/taf/{HH}Z.TXT',
  IVAO_URL: '/whazzup',
  VATSIM_URL: '/vatsim-data.json',
  AWC_URL: '',
  AIRPORTS_URL: '',
  WINDS_URLS: '/gfs.{YYYYMMDD}/{HH}/atmos/gfs.t{HH}z.pgrb2.1p00.f{FFF}',
  OVERPASS_URL: '/overpass',
  OBSTACLES_URL: '/obstacles.zip',
  NOTAM_URL: '/notams.txt',
  PLANNER_URL: '/xml.fetcher.php',
};

/** How a path answers; default `ok`. */
export type SimulatedMode =
  | 'ok'
  | '304'
  | '302'
  | '404'
  | '429'
  | '500'
  | 'html'
  | 'truncated'
  | 'slow'
  | 'reset'
  | 'empty'
  | 'half'
  | 'future'
  | 'schema';

export interface SimulatedRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface SimulatedBody {
  bytes: Buffer | string;
  contentType: string;
  gzip?: boolean;
  /** 200 when absent. */
  status?: number;
}

type SimulatedRoute = (
  now: Date,
  fault: ContentFault,
  request: SimulatedRequest,
) => SimulatedBody | null | Promise<SimulatedBody | null>;

export interface SimulatedSources {
  readonly origin: string;
  /** Environment variables that point the service at this server. */
  readonly variables: Readonly<Record<string, string>>;
  /** Requests so far, for tests. */
  readonly requests: readonly SimulatedRequest[];
  setMode: (path: string, mode: SimulatedMode) => void;
  /** Adds or replaces a path; null answers 404. */
  setRoute: (path: string, route: SimulatedRoute) => void;
  close: () => Promise<void>;
}

const faults: readonly string[] = ['empty', 'half', 'future', 'schema'];
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

const xml = (bytes: string): SimulatedBody => ({ bytes, contentType: 'application/gzip', gzip: true });
const text = (bytes: string | Buffer, contentType: string): SimulatedBody => ({ bytes, contentType });

const sourcesOf = (
  stations: () => Promise<RawAirport[]>,
  airports: () => Promise<RawAirport[]>,
): Record<string, SimulatedRoute> => ({
  '/metars.cache.xml.gz': async (now, fault) => xml(awcMetars(await stations(), now, fault)),
  '/tafs.cache.xml.gz': async (now, fault) => xml(awcTafs(await stations(), now, fault)),
  '/api/data/isigmet': (now, fault) => text(sigmetList('isigmet', now, fault), 'application/json'),
  '/api/data/airsigmet': (now, fault) => text(sigmetList('airsigmet', now, fault), 'application/json'),
  '/api/data/gairmet': (now, fault) => text(sigmetList('gairmet', now, fault), 'application/json'),
  '/data/cache/aircraftreports.cache.csv.gz': (now, fault) => xml(pirepCsv(now, fault)),
  '/airports.csv': async (_now, fault) => text(airportsCsv(await airports(), fault), 'text/csv'),
  '/runways.csv': async (_now, fault) => text(runwaysCsv(await airports(), fault), 'text/csv'),
  '/navaids.csv': async () =>
    text(await readFile(join(import.meta.dirname, 'world/navaids.csv')), 'text/csv'),
  '/whazzup': async (now, fault) => text(ivaoWhazzup(await stations(), now, fault), 'application/json'),
  '/whazzup/atis': async (now, fault) => text(ivaoAtis(await stations(), now, fault), 'application/json'),
  '/overpass': async (now, _fault, { body }) =>
    text(overpassAnswer(await airports(), body, now), 'application/json'),
  '/obstacles.zip': async (now) =>
    text(zipOfOne('DOF.DAT', obstacleDat(await airports(), now)), 'application/zip'),
  '/notams.txt': async (now) =>
    text(`${notamTexts(await stations(), now)}\n${surfaceTexts(await stations(), now)}`, 'text/plain'),
  '/xml.fetcher.php': async (now, _fault, request) => simulatedPlanner(await stations(), now, request),
  '/vatsim-data.json': async (now, fault) =>
    text(vatsimData(await stations(), now, fault), 'application/json'),
});

/** Variables that point the service at a simulated server. */
export const simulatedVariables: readonly string[] = Object.keys(pathOfVariable);

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

const sendBroken = (
  response: ServerResponse,
  mode: SimulatedMode,
  bytes: Buffer,
  headers: Record<string, string>,
) => {
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (mode === 'truncated') {
    // A shorter file, sent completely: only its content reveals it.
    response.writeHead(200, headers).end(half);
    return;
  }
  response.writeHead(200, { ...headers, 'content-length': String(bytes.length) });
  response.write(half.subarray(0, 200));
  if (mode === 'reset') setTimeout(() => response.socket?.destroy(), 20);
};

const send = (
  response: ServerResponse,
  mode: SimulatedMode,
  body: SimulatedBody,
  known: string | undefined,
) => {
  const plain = Buffer.from(body.bytes);
  const bytes = body.gzip ? gzipSync(plain, { level: 1 }) : plain;
  const etag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`;
  const headers = { 'content-type': body.contentType, etag };
  if (mode === '304' || known === etag) response.writeHead(304, { etag }).end();
  else if (mode === 'truncated' || mode === 'slow' || mode === 'reset')
    sendBroken(response, mode, bytes, headers);
  else
    response.writeHead(body.status ?? 200, { ...headers, 'content-length': String(bytes.length) }).end(bytes);
};

/** Answers failures that need no content; returns true for those. */
const sendStatus = (response: ServerResponse, mode: SimulatedMode): boolean => {
  if (mode === '302') response.writeHead(302, { location: '/login' }).end();
  else if (mode === '404' || mode === '500') response.writeHead(Number(mode)).end();
  else if (mode === '429') response.writeHead(429, { 'retry-after': '120' }).end('slow down');
  else if (mode === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  else return false;
  return true;
};

interface SimulatedOptions {
  now?: () => Date;
  /** Airports and reporting stations; the simulated world when absent. */
  airports?: () => Promise<RawAirport[]>;
  stations?: () => Promise<RawAirport[]>;
}

/**
 * A local server that speaks the outside sources' formats with current, generated reports. `SOURCES=simulated`
 * uses it, and tests switch each path to one of the failures of real sources.
 */
export const startSimulated = async (options: SimulatedOptions = {}): Promise<SimulatedSources> => {
  const now = options.now ?? (() => new Date());
  const routes = new Map(
    Object.entries(sourcesOf(options.stations ?? simulatedStations, options.airports ?? simulatedAirports)),
  );
  const modes = new Map<string, SimulatedMode>();
  const requests: SimulatedRequest[] = [];

  const winds = simulatedWinds();
  const windBody = (path: string): SimulatedBody | null => {
    const bytes = winds(path, now());
    return bytes && { bytes, contentType: 'application/octet-stream' };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const seen = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await readBody(request),
    };
    requests.push(seen);
    if (requests.length > 10_000) requests.shift();
    const mode = modes.get(url.pathname) ?? 'ok';
    if (sendStatus(response, mode)) return;
    const fault = faults.includes(mode) ? (mode as ContentFault) : null;
    const route = routes.get(url.pathname);
    const body = route ? await route(now(), fault, seen) : windBody(url.pathname);
    if (body) send(response, mode, body, request.headers['if-none-match']);
    else response.writeHead(404).end();
  };
  // Idle connections are ended by the clients, never at the moment of their next request.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    origin,
    variables: Object.fromEntries(
      Object.entries(pathOfVariable).map(([name, path]) => [name, origin + path]),
    ),
    requests,
    setMode: (path, mode) => void modes.set(path, mode),
    setRoute: (path, route) => void routes.set(path, route),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
