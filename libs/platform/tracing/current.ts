import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** Of the running request or job. */
export interface Current {
  context: Context;
  traceId: string;
  spanId: string;
}

/** Null where nothing is traced; `undefined` also without tracing. */
export const current = new AsyncLocalStorage<Current | null>();

/** Members of a log line that lead to its trace. */
export const traceOfLine = (): { trace_id?: string; span_id?: string } => {
  const { traceId, spanId } = current.getStore() ?? {};
  return traceId === undefined || spanId === undefined ? {} : { trace_id: traceId, span_id: spanId };
};
