import { SpanKind } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { jobReceived, jobSent } from '../metrics/activities.ts';
import type { JobStore } from '../metrics/activities.ts';
import { current } from './current.ts';
import { carrierOf, contextOf, failed, spanAround } from './spans.ts';

const systems: Readonly<Record<JobStore, string>> = { postgres: 'pg_boss', redis: 'bullmq' };

/** Characters; a job may name hundreds of files. */
const maxPayload = 256;

const attributesOf = (job: string, store: JobStore, operation: 'send' | 'process') => ({
  'messaging.system': systems[store],
  'messaging.destination.name': job,
  'messaging.operation.name': operation,
  'messaging.operation.type': operation,
});

/**
 * A span for a job that a request or another job enqueues, whose trace goes into the job's record, and one for every
 * run, in the same trace. A scheduled job begins a trace.
 */
export const watchJobs = (tracer: Tracer): (() => void) => {
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
      begin: ({ job, store, id, attempt, payload, trace }) => ({
        name: `process ${job}`,
        kind: SpanKind.CONSUMER,
        parent: contextOf(trace),
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
