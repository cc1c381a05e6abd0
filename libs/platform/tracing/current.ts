import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** Trace of the running request or job. */
interface Current {
  context: Context;
  traceId: string;
  spanId: string;
}

/** Null outside traces; `undefined` also if tracing is off. */
export const current = new AsyncLocalStorage<Current | null>();

/** Members of a log line that link it to its trace. */
export const traceOfLine = (): { trace_id?: string; span_id?: string } => {
  const { traceId, spanId } = current.getStore() ?? {};
  return traceId === undefined || spanId === undefined ? {} : { trace_id: traceId, span_id: spanId };
};
