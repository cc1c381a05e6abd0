import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { requestServed } from '../metrics/activities.ts';
import { contextOf, spanAround } from './spans.ts';

/** A span per request, part of the caller's trace when it sends a `traceparent`; named by route and query. */
export const watchRequests = (tracer: Tracer): (() => void) =>
  spanAround(tracer, requestServed, {
    begin: ({ method, headers }) => ({
      name: method,
      kind: SpanKind.SERVER,
      parent: contextOf(headers),
      attributes: { 'http.request.method': method },
    }),
    end: (span, { method, route, query, status, errorCode, logId }) => {
      span.updateName([method, route, query].filter(Boolean).join(' '));
      if (route !== undefined) span.setAttribute('http.route', route);
      if (query !== undefined) span.setAttribute('efb.query', query);
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      if (logId !== undefined) span.setAttribute('efb.log_id', logId);
      if (errorCode !== undefined) span.setAttribute('error.type', errorCode);
      if (status !== undefined && status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    },
  });
