import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RawAirport } from '#domain/airports/build.ts';
import { notamTexts, obstacleDat, overpassAnswer } from './aerodromes.ts';
import { airportsCsv, awcMetars, awcTafs, runwaysCsv } from './formats.ts';
import { ivaoAtis, ivaoWhazzup, vatsimData } from './networks.ts';
import type { ContentFault } from './formats.ts';
import { simulatedPlanner } from './planner/service.ts';
import { pirepCsv } from './pireps.ts';
import { sigmetList } from './sigmets.ts';
import { simulatedAirports, simulatedStations } from './stations.ts';
import { surfaceTexts } from './surface-reports.ts';
import { simulatedWinds } from './winds.ts';

/** Paths on the simulated server by environment variable. */
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
  OBSTACLES_URL: '/obstacles.dat',
  NOTAM_URL: '/notams.txt',
  PLANNER_URL: '/xml.fetcher.php',
};

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

export type SimulatedRoute = (
  now: Date,
  fault: ContentFault,
  request: SimulatedRequest,
) => SimulatedBody | null | Promise<SimulatedBody | null>;

export interface SimulatedSources {
  readonly origin: string;
  /** Environment variables that point the service at this server. */
  readonly variables: Readonly<Record<string, string>>;
  close: () => Promise<void>;
}

const xml = (bytes: string): SimulatedBody => ({ bytes, contentType: 'application/gzip', gzip: true });
const text = (bytes: string | Buffer, contentType: string): SimulatedBody => ({ bytes, contentType });
const json = (bytes: string): SimulatedBody => text(bytes, 'application/json');

const sourcesOf = (
  stations: () => Promise<RawAirport[]>,
  airports: () => Promise<RawAirport[]>,
): Record<string, SimulatedRoute> => ({
  '/metars.cache.xml.gz': async (now, fault) => xml(awcMetars(await stations(), now, fault)),
  '/tafs.cache.xml.gz': async (now, fault) => xml(awcTafs(await stations(), now, fault)),
  '/api/data/isigmet': (now, fault) => json(sigmetList('isigmet', now, fault)),
  '/api/data/airsigmet': (now, fault) => json(sigmetList('airsigmet', now, fault)),
  '/api/data/gairmet': (now, fault) => json(sigmetList('gairmet', now, fault)),
  '/data/cache/aircraftreports.cache.csv.gz': (now, fault) => xml(pirepCsv(now, fault)),
  '/airports.csv': async (_now, fault) => text(airportsCsv(await airports(), fault), 'text/csv'),
  '/runways.csv': async (_now, fault) => text(runwaysCsv(await airports(), fault), 'text/csv'),
  '/navaids.csv': async () =>
    text(await readFile(join(import.meta.dirname, 'world/navaids.csv')), 'text/csv'),
  '/whazzup': async (now, fault) => json(ivaoWhazzup(await stations(), now, fault)),
  '/whazzup/atis': async (now, fault) => json(ivaoAtis(await stations(), now, fault)),
  '/overpass': async (now, _fault, { body }) => json(overpassAnswer(await airports(), body, now)),
  '/obstacles.dat': async (now) => text(obstacleDat(await airports(), now), 'text/plain'),
  '/notams.txt': async (now) =>
    text(`${notamTexts(await stations(), now)}\n${surfaceTexts(await stations(), now)}`, 'text/plain'),
  '/xml.fetcher.php': async (now, _fault, request) => simulatedPlanner(await stations(), now, request),
  '/vatsim-data.json': async (now, fault) => json(vatsimData(await stations(), now, fault)),
});

/** Variables that point the service at a simulated server. */
export const simulatedVariables: readonly string[] = Object.keys(pathOfVariable);

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
};

/** The body as sent, with its headers. */
export const encoded = (body: SimulatedBody) => {
  const plain = Buffer.from(body.bytes);
  const etag = `"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`;
  const bytes = body.gzip ? gzipSync(plain, { level: 1 }) : plain;
  return { bytes, headers: { 'content-type': body.contentType, etag } };
};

/** Answers 404 without a body. */
export const sendBody = (
  response: ServerResponse,
  body: SimulatedBody | null,
  request: SimulatedRequest,
): void => {
  if (!body) {
    response.writeHead(404).end();
    return;
  }
  const { bytes, headers } = encoded(body);
  if (request.headers['if-none-match'] === headers.etag)
    response.writeHead(304, { etag: headers.etag }).end();
  else
    response.writeHead(body.status ?? 200, { ...headers, 'content-length': String(bytes.length) }).end(bytes);
};

export type Respond = (
  request: SimulatedRequest,
  response: ServerResponse,
  /** The source's current content, with a fault. */
  bodyOf: (fault: ContentFault) => Promise<SimulatedBody | null>,
) => Promise<void>;

export interface SimulatedOptions {
  now?: () => Date;
  /** Airports and reporting stations; by default those of the simulated world. */
  airports?: () => Promise<RawAirport[]>;
  stations?: () => Promise<RawAirport[]>;
  /** Replaced in tests to simulate failing sources. */
  respond?: Respond;
}

/** A local server that imitates the outside sources' formats with current, generated reports. */
export const startSimulated = async (options: SimulatedOptions = {}): Promise<SimulatedSources> => {
  const now = options.now ?? (() => new Date());
  const routes = sourcesOf(options.stations ?? simulatedStations, options.airports ?? simulatedAirports);
  const respond: Respond =
    options.respond ?? (async (request, response, bodyOf) => sendBody(response, await bodyOf(null), request));
  const winds = simulatedWinds();
  const windBody = (path: string): SimulatedBody | null => {
    const bytes = winds(path, now());
    return bytes && { bytes, contentType: 'application/octet-stream' };
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const seen: SimulatedRequest = {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: await readBody(request),
    };
    await respond(seen, response, async (fault) => {
      const route = routes[url.pathname];
      return route ? route(now(), fault, seen) : windBody(url.pathname);
    });
  };
  // Only clients close idle connections, so that none closes just as it is used again.
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
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
