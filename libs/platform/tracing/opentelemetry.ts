import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { oneLineOf } from '../one-line.ts';
import { watchGateways } from './gateways.ts';
import { watchJobs } from './jobs.ts';
import { watchOutgoing } from './outgoing.ts';
import { watchRequests } from './requests.ts';
import { watchStatements } from './statements.ts';
import type { Tracing } from './tracing.ts';

const closeLimitMs = 1_000;
const exportEveryMs = 1_000;
/** A collector that is away costs one line of the log in this time. */
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

/** Spans for what the activities publish, exported as OTLP. */
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
    // By the id of the trace, so that all tiers decide alike and no caller decides for them.
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
  const watches = [watchRequests, watchStatements, watchJobs, watchGateways, watchOutgoing].map((watch) =>
    watch(tracer),
  );
  return {
    close: async () => {
      for (const end of watches) end();
      const tooLate = sleep(closeLimitMs, undefined, { ref: false }).then(() => {
        throw new Error('the collector did not answer in time');
      });
      // A collector that is away must not turn a clean stop into a failed one.
      await Promise.race([provider.shutdown(), tooLate]).catch(report);
    },
  };
};
