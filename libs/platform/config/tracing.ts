import { z } from 'zod';
import type { Variable } from './sources.ts';

/** The libraries of OpenTelemetry read further standard variables themselves: headers, time limit, certificates, compression, name and attributes. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z.url('must be an absolute URL').optional(),
    text: 'Collector that receives traces as OTLP over HTTP (JSON), at `/v1/traces` below this address, for example `http://127.0.0.1:4318`. No traces without it. `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` have their standard meaning.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce
      .number('must be a number')
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .default(1),
    text: 'Share of traces that are recorded, 0 to 1, whatever the `traceparent` of a caller says.',
  },
} as const satisfies Record<string, Variable>;
