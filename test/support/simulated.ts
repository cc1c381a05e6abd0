/** Simulated sources, each of which can be switched to a failure of real ones. */
import type { ServerResponse } from 'node:http';
import type { ContentFault } from '#simulated/formats.ts';
import { encoded, sendBody, startSimulated as startSources } from '#simulated/server.ts';
import type {
  Respond,
  SimulatedBody,
  SimulatedOptions,
  SimulatedRequest,
  SimulatedRoute,
  SimulatedSources as Sources,
} from '#simulated/server.ts';

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

export interface SimulatedSources extends Sources {
  readonly requests: readonly SimulatedRequest[];
  setMode: (path: string, mode: SimulatedMode) => void;
  /** Adds or replaces a path; null answers 404. */
  setRoute: (path: string, route: SimulatedRoute) => void;
}

const faults: readonly string[] = ['empty', 'half', 'future', 'schema'];
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in.</body></html>';

/** Answers failures that need no content; returns true for those. */
const sendStatus = (response: ServerResponse, mode: SimulatedMode): boolean => {
  if (mode === '302') response.writeHead(302, { location: '/login' }).end();
  else if (mode === '404' || mode === '500') response.writeHead(Number(mode)).end();
  else if (mode === '429') response.writeHead(429, { 'retry-after': '120' }).end('slow down');
  else if (mode === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
  else return false;
  return true;
};

const sendBroken = (response: ServerResponse, mode: SimulatedMode, body: SimulatedBody): void => {
  const { bytes, headers } = encoded(body);
  const half = bytes.subarray(0, Math.floor(bytes.length / 2));
  if (mode === 'truncated') {
    // A shorter file, sent completely: only its content reveals the loss.
    response.writeHead(200, headers).end(half);
    return;
  }
  response.writeHead(200, { ...headers, 'content-length': String(bytes.length) });
  response.write(half.subarray(0, 200));
  if (mode === 'reset') setTimeout(() => response.socket?.destroy(), 20);
};

export const startSimulated = async (
  options: Omit<SimulatedOptions, 'respond'> = {},
): Promise<SimulatedSources> => {
  const now = options.now ?? (() => new Date());
  const modes = new Map<string, SimulatedMode>();
  const routes = new Map<string, SimulatedRoute>();
  const requests: SimulatedRequest[] = [];
  const respond: Respond = async (request, response, bodyOf) => {
    requests.push(request);
    const mode = modes.get(request.path) ?? 'ok';
    if (sendStatus(response, mode)) return;
    const fault = faults.includes(mode) ? (mode as ContentFault) : null;
    const route = routes.get(request.path);
    const body = route ? await route(now(), fault, request) : await bodyOf(fault);
    if (body && mode === '304') response.writeHead(304, { etag: encoded(body).headers.etag }).end();
    else if (body && ['truncated', 'slow', 'reset'].includes(mode)) sendBroken(response, mode, body);
    else sendBody(response, body, request);
  };
  const started = await startSources({ ...options, respond });
  return {
    ...started,
    requests,
    setMode: (path, mode) => void modes.set(path, mode),
    setRoute: (path, route) => void routes.set(path, route),
  };
};
