import { ROOT_CONTEXT, SpanStatusCode, isSpanContextValid, trace } from '@opentelemetry/api';
import type { Attributes, Context, Span, SpanKind, TextMapPropagator, Tracer } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Activity } from '../metrics/activity.ts';
import type { Carrier } from '../metrics/activities.ts';
import { current } from './current.ts';
import type { Current } from './current.ts';

const propagator: TextMapPropagator = new W3CTraceContextPropagator();

/** The context that a caller sent, or an empty one. */
export const contextOf = (carrier: Readonly<Record<string, unknown>> | undefined): Context => {
  const getter = {
    keys: (from: object) => Object.keys(from),
    get: (from: Record<string, unknown>, key: string) => from[key] as string | string[] | undefined,
  };
  return carrier === undefined ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, carrier, getter);
};

export const carrierOf = (context: Context): Carrier => {
  const carrier: Carrier = {};
  propagator.inject(context, carrier, { set: (to: Carrier, key, value) => void (to[key] = value) });
  return carrier;
};

/** The span in which the caller runs, if it has not ended: what runs behind an answer does not belong to it. */
export const openParent = (): Context | null => {
  const { context } = current.getStore() ?? {};
  return context && trace.getSpan(context)?.isRecording() === true ? context : null;
};

export interface Begun {
  name: string;
  kind: SpanKind;
  parent: Context;
  attributes: Attributes;
}

const currentOf = (context: Context): Current | null => {
  const spanContext = trace.getSpanContext(context);
  if (spanContext === undefined || !isSpanContextValid(spanContext)) return null;
  return { context, traceId: spanContext.traceId, spanId: spanContext.spanId };
};

/**
 * The span of an error has its kind, never its message, which may contain values of a user; the log line with the
 * trace id has the rest.
 */
export const failed = (span: Span, error: unknown): void => {
  const { code, name } = (error ?? {}) as { code?: string | number; name?: string };
  span.setAttribute('error.type', String(code ?? name ?? 'Error'));
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** Outside of every trace: the timer of the export begins here, and its request is not a part of one. */
export const finish = (span: Span): void => current.run(null, () => span.end());

/**
 * A span around each activity. `begin` returns null for one that gets none; `started` completes the message with what
 * must be known while the activity runs.
 */
export const spanAround = <Message extends object>(
  tracer: Tracer,
  activity: Activity<Message>,
  parts: {
    begin: (message: Message) => Begun | null;
    started?: (message: Message, context: Context) => void;
    end?: (span: Span, message: Message) => void;
  },
): (() => void) => {
  const spans = new WeakMap<Message, Span>();
  return activity.watch<Current | null>({
    store: current,
    begin: (message) => {
      const begun = parts.begin(message);
      if (begun === null) return current.getStore() ?? null;
      const { name, kind, parent, attributes } = begun;
      const span = tracer.startSpan(name, { kind, attributes }, parent);
      spans.set(message, span);
      const context = trace.setSpan(parent, span);
      parts.started?.(message, context);
      return currentOf(context);
    },
    end: (message, error) => {
      const span = spans.get(message);
      if (!span) return;
      parts.end?.(span, message);
      if (error !== null) failed(span, error);
      finish(span);
    },
  });
};
