import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api';
import type { Attributes, Context, Span, TextMapPropagator, Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Activity, Carrier, JobStore } from '../metrics/activities.ts';
import { current } from './current.ts';
import { requestServed, statementRun, jobReceived, jobSent } from '../metrics/activities.ts';
import type { Config } from '../config/config.ts';
import { oneLineOf } from '../errors.ts';
import type { Tracing } from './start.ts';

const propagator: TextMapPropagator = new W3CTraceContextPropagator();

/** The context sent by a caller, or an empty one. */
const contextOf = (carrier: object = {}): Context =>
  propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);

const carrierOf = (context: Context): Carrier => {
  const carrier: Carrier = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return carrier;
};

/** The span of the caller if it is still open: work after the answer does not belong to it. */
const openParent = (): Context | null => {
  const { context } = current.getStore() ?? {};
  return context && trace.getSpan(context)?.isRecording() === true ? context : null;
};

interface Begun {
  name: string;
  kind: SpanKind;
  parent: Context;
  attributes: Attributes;
}

/**
 * Records the kind of an error, never its message, which may contain user data; the log line with the trace id has the
 * rest.
 */
const failed = (span: Span, error: unknown): void => {
  const { code, name } = (error ?? {}) as { code?: string | number; name?: string };
  span.setAttribute('error.type', String(code ?? name ?? 'Error'));
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** Ends a span outside every trace, so that the exporter's timer and requests are not traced. */
const finish = (span: Span): void => current.run(null, () => span.end());

/**
 * Wraps each activity in a span. `begin` returns null for none; `started` adds what must be known during the activity.
 */
const spanAround = <Message extends object>(
  tracer: Tracer,
  { channel }: Pick<Activity<Message>, 'channel'>,
  parts: {
    begin: (message: Message) => Begun | null;
    started?: (message: Message, context: Context) => void;
    end?: (span: Span, message: Message) => void;
  },
): (() => void) => {
  const spans = new WeakMap<Message, Span>();
  const ended = (published: unknown): void => {
    const message = published as Message & { error?: unknown };
    const span = spans.get(message);
    if (!span) return;
    parts.end?.(span, message);
    if (message.error !== undefined) failed(span, message.error);
    finish(span);
  };
  channel.start.bindStore(current, (message) => {
    const begun = parts.begin(message);
    if (begun === null) return current.getStore() ?? null;
    const { name, kind, parent, attributes } = begun;
    const span = tracer.startSpan(name, { kind, attributes }, parent);
    spans.set(message, span);
    const context = trace.setSpan(parent, span);
    parts.started?.(message, context);
    const { traceId, spanId } = span.spanContext();
    return { context, traceId, spanId };
  });
  channel.asyncEnd.subscribe(ended);
  return () => {
    channel.start.unbindStore(current);
    channel.asyncEnd.unsubscribe(ended);
  };
};

/** A span per request, continuing the caller's trace if it sends `traceparent`; named by route and query. */
const watchRequests = (tracer: Tracer): (() => void) =>
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

/** `SELECT app_user`: operation and first table. */
const summaryOf = (text: string): string => {
  const plain = text.replace(/--.*$/gm, ' ');
  const operation =
    /\b(?:select|insert|update|delete|begin|commit|notify|truncate|copy|lock)\b/i.exec(plain)?.[0] ?? 'SQL';
  const table = /\b(?:from|into|update|join|truncate|lock table)\s+(?:only\s+)?([a-z_][\w.]*)/i.exec(plain);
  return [operation.toUpperCase(), ...(table ? [table[1]] : [])].join(' ');
};

/** A span per statement of a traced request or job; background work has none. */
const watchStatements = (tracer: Tracer): (() => void) =>
  spanAround(tracer, statementRun, {
    begin: ({ text }) => {
      const parent = openParent();
      if (parent === null) return null;
      const name = summaryOf(text);
      return {
        name,
        kind: SpanKind.CLIENT,
        parent,
        attributes: {
          'db.system.name': 'postgresql',
          'db.query.text': text,
          'db.query.summary': name,
          'db.operation.name': name.replace(/ .*/, ''),
        },
      };
    },
    end: (span, { rows }) => {
      if (typeof rows === 'number') span.setAttribute('db.response.returned_rows', rows);
    },
  });

const systems: Readonly<Record<JobStore, string>> = { postgres: 'pg_boss', redis: 'bullmq' };

/** Characters; a job may list hundreds of files. */
const maxPayload = 256;

const attributesOf = (job: string, store: JobStore, operation: 'send' | 'process') => ({
  'messaging.system': systems[store],
  'messaging.destination.name': job,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});

/**
 * A span for each job enqueued by a request or job, whose trace goes into the job's record, and one per run in the same
 * trace. A scheduled job starts a trace.
 */
const watchJobs = (tracer: Tracer): (() => void) => {
  const ends = [
    spanAround(tracer, jobSent, {
      begin: ({ job, store }) => {
        const parent = current.getStore()?.context;
        if (parent === undefined) return null;
        const attributes = attributesOf(job, store, 'send');
        return { name: `send ${job}`, kind: SpanKind.PRODUCER, parent, attributes };
      },
      started: (sent, context) => {
        sent.trace = carrierOf(context);
      },
    }),
    spanAround(tracer, jobReceived, {
      begin: ({ job, store, id, attempt, payload, trace: carrier }) => ({
        name: `process ${job}`,
        kind: SpanKind.CONSUMER,
        parent: contextOf(carrier),
        attributes: {
          ...attributesOf(job, store, 'process'),
          'messaging.message.id': id,
          'efb.job.attempt': attempt,
          'efb.job.payload': JSON.stringify(payload)?.slice(0, maxPayload) ?? '',
        },
      }),
      end: (span, { outcome, error }) => {
        if (outcome !== undefined) span.setAttribute('efb.job.outcome', outcome);
        if (error !== undefined) failed(span, error);
      },
    }),
  ];
  return () => ends.forEach((end) => end());
};

/** Without credentials and query, which may contain keys. */
const addressOf = (request: ClientRequest): string =>
  `${request.protocol}//${request.getHeader('host') as string}${request.path.split('?', 1)[0] ?? ''}`;

/**
 * A span per outgoing HTTP request of a traced request or job, by any client, as published by Node. Outside services do
 * not receive our trace ids.
 */
const watchOutgoing = (tracer: Tracer): (() => void) => {
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

const closeLimitMs = 1_000;
const exportEveryMs = 1_000;
/** An unreachable collector is logged at most once in this time. */
const quietMs = 600_000;

const failureLog = (log: Logger) => {
  let loggedAt = -Infinity;
  return (failure: unknown): void => {
    if (performance.now() - loggedAt < quietMs) return;
    loggedAt = performance.now();
    const error = failure instanceof Error ? oneLineOf(failure) : 'unknown';
    log.warn({ error }, 'traces could not be exported; those that wait too long are dropped');
  };
};

/** Spans for published activities, exported by OTLP. */
export const createTracing = (config: Config, name: string, log: Logger): Tracing => {
  const report = failureLog(log);
  setGlobalErrorHandler(report);
  const own = resourceFromAttributes({
    'service.name': `efb-${name}`,
    'service.instance.id': randomUUID(),
    'host.name': hostname(),
    'process.pid': process.pid,
  });
  const provider = new TracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    // Sampled by trace id, so that all tiers agree and no caller decides.
    sampler: new TraceIdRatioBasedSampler(config.OTEL_TRACES_SAMPLER_ARG),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({
          url: `${config.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, '')}/v1/traces`,
        }),
        scheduledDelayMillis: exportEveryMs,
      }),
    ],
  });
  const tracer = provider.getTracer('efb-backend');
  const watches = [watchRequests, watchStatements, watchJobs, watchOutgoing].map((watch) => watch(tracer));
  return {
    close: async () => {
      for (const end of watches) end();
      const tooLate = sleep(closeLimitMs, undefined, { ref: false }).then(() => {
        throw new Error('the collector did not answer in time');
      });
      // An unreachable collector must not fail a clean stop.
      await Promise.race([provider.shutdown(), tooLate]).catch(report);
    },
  };
};
