import { SpanKind } from '@opentelemetry/api';
import type { Tracer } from '@opentelemetry/api';
import { gatewayCalled } from '../metrics/activities.ts';
import { openParent, spanAround } from './spans.ts';

/** A span per call of a payment gateway, around its requests. */
export const watchGateways = (tracer: Tracer): (() => void) =>
  spanAround(tracer, gatewayCalled, {
    begin: ({ gateway, verb }) => {
      const parent = openParent();
      if (parent === null) return null;
      const attributes = { 'efb.gateway': gateway, 'efb.gateway.verb': verb };
      return { name: `gateway ${gateway} ${verb}`, kind: SpanKind.INTERNAL, parent, attributes };
    },
  });
