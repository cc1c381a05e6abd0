import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { SpanKind } from '@opentelemetry/api';
import type { Span, Tracer } from '@opentelemetry/api';
import { failed, finish, openParent } from './spans.ts';

/** Without credentials and query, which may have keys. */
const addressOf = (request: ClientRequest): string =>
  `${request.protocol}//${request.getHeader('host') as string}${request.path.split('?', 1)[0] ?? ''}`;

/**
 * A span per outgoing HTTP request of a traced request or job, whatever client sends it: Node itself publishes them.
 * Outside services are not sent our trace ids.
 */
export const watchOutgoing = (tracer: Tracer): (() => void) => {
  const spans = new WeakMap<ClientRequest, Span>();
  const end = (request: ClientRequest, error?: unknown) => {
    const span = spans.get(request);
    if (!span) return;
    spans.delete(request);
    if (error !== undefined) failed(span, error);
    finish(span);
  };
  const created = (message: unknown) => {
    const { request } = message as { request: ClientRequest };
    const parent = openParent();
    if (parent === null) return;
    const attributes = {
      'http.request.method': request.method,
      'server.address': request.host,
      'url.full': addressOf(request),
    };
    const name = `${request.method} ${request.host}`;
    spans.set(request, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent));
  };
  const answered = (message: unknown) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const status = response.statusCode ?? 0;
    spans.get(request)?.setAttribute('http.response.status_code', status);
    if (status >= 400) {
      const span = spans.get(request);
      if (span) failed(span, { code: status });
    }
    response.once('close', () => end(request));
  };
  const broken = (message: unknown) => {
    const { request, error } = message as { request: ClientRequest; error: unknown };
    end(request, error);
  };
  const watched = {
    'http.client.request.created': created,
    'http.client.response.finish': answered,
    'http.client.request.error': broken,
  };
  for (const [name, listener] of Object.entries(watched)) subscribe(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(watched)) unsubscribe(name, listener);
  };
};
