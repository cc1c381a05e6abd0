/** Shared by the simulated gateways: a local HTTP server whose answers can be made to fail. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * How the gateway behaves. `wrong`: a page instead of an answer, and nothing is done; `slow`: done, but answered late;
 * `twice`: done, but the connection breaks before the answer, so that the caller repeats it; `never`: neither done nor
 * answered; `busy`: 429, and nothing is done; `down`: nothing listens.
 */
export type GatewayMode = 'ok' | 'wrong' | 'slow' | 'twice' | 'never' | 'busy' | 'down';

export interface GatewayRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface GatewayAnswer {
  status?: number;
  body: string;
  contentType?: string;
}

export interface GatewayServer {
  readonly origin: string;
  /** Requests so far. */
  readonly requests: readonly GatewayRequest[];
  setMode: (mode: GatewayMode) => Promise<void>;
  close: () => Promise<void>;
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('latin1');
};

export const json = (value: unknown, status = 200): GatewayAnswer => ({
  status,
  body: JSON.stringify(value),
  contentType: 'application/json',
});

interface GatewayOptions {
  slowMs?: number;
  /** Requests that are always answered, so that the mode applies to what follows them. */
  isLogin?: (request: GatewayRequest) => boolean;
}

/** Serves `answer`, which changes the state of the gateway, on a port of the loopback interface. */
export const startGatewayServer = async (
  answer: (request: GatewayRequest) => GatewayAnswer,
  { slowMs = 60_000, isLogin = () => false }: GatewayOptions = {},
): Promise<GatewayServer> => {
  let mode: GatewayMode = 'ok';
  const requests: GatewayRequest[] = [];

  const send = (
    response: ServerResponse,
    { status = 200, body, contentType = 'text/plain' }: GatewayAnswer,
  ) => response.writeHead(status, { 'content-type': contentType }).end(Buffer.from(body));

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { method = 'GET', headers } = request;
    const seen = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: await readBody(request),
    };
    requests.push(seen);
    // Read again after the answer, at which a listener may change the mode.
    const how = () => (isLogin(seen) ? 'ok' : mode);
    if (how() === 'never') return;
    if (how() === 'wrong') {
      send(response, { body: '<html><body>Scheduled maintenance</body></html>', contentType: 'text/html' });
      return;
    }
    const made = how() === 'busy' ? { status: 429, body: '' } : answer(seen);
    if (how() === 'twice') response.destroy();
    else if (how() === 'slow') setTimeout(() => send(response, made), slowMs).unref();
    else send(response, made);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const listen = (port: number) =>
    new Promise<void>((done, failed) => {
      server.once('error', failed);
      server.listen(port, '127.0.0.1', done);
    });
  const stop = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  await listen(0);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    setMode: async (next) => {
      if (mode === 'down' && next !== 'down') await listen(port);
      if (mode !== 'down' && next === 'down') await stop();
      mode = next;
    },
    close: async () => {
      if (mode !== 'down') await stop();
    },
  };
};
