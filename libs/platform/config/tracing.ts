import { z } from 'zod';
import type { Variable } from './sources.ts';

const urlSchema = z.url('must be an absolute URL').optional();
const whole = (max: number) =>
  z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(max, `must be at most ${max}`);
const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

/**
 * The standard variables of OpenTelemetry that matter here. The exporter reads further ones itself (headers and
 * certificates of `OTEL_EXPORTER_OTLP_TRACES_*`, compression).
 */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: urlSchema,
    text: 'Collector that receives traces as OTLP over HTTP, at `/v1/traces` below this address, for example `http://127.0.0.1:4318`. No traces without it.',
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    schema: urlSchema,
    text: 'The whole address for traces, instead of the one above.',
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z
      .enum(['http/protobuf', 'http/json'], 'must be http/protobuf or http/json')
      .default('http/protobuf'),
    text: 'Encoding of traces: `http/protobuf` or `http/json`.',
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().optional(),
    secret: true,
    text: 'Headers for the collector, `name=value`, comma-separated.',
  },
  OTEL_EXPORTER_OTLP_TIMEOUT: {
    schema: whole(60_000).default(10_000),
    text: 'Longest time of one export in milliseconds.',
  },
  OTEL_TRACES_EXPORTER: {
    schema: z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'),
    text: '`none`: no traces.',
  },
  OTEL_SDK_DISABLED: {
    schema: z
      .string()
      .default('false')
      .transform((text) => text.toLowerCase() === 'true'),
    text: '`true`: no traces.',
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().min(1).optional(),
    text: 'Name of the service in traces. Default: `efb-api`, `efb-workers`, `efb-scheduler`.',
  },
  OTEL_RESOURCE_ATTRIBUTES: {
    schema: z.string().optional(),
    text: 'Further attributes of the process in traces, `name=value`, comma-separated: `deployment.environment.name=production`.',
  },
  OTEL_TRACES_SAMPLER: {
    schema: z.enum(samplers, `must be one of ${samplers.join(', ')}`).default('parentbased_always_on'),
    text: 'Which traces are recorded: `always_on`, `always_off`, `traceidratio`, or these with `parentbased_`, where the `traceparent` of the caller decides first.',
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce
      .number('must be a number')
      .min(0, 'must be at least 0')
      .max(1, 'must be at most 1')
      .default(1),
    text: 'Share of traces that the `traceidratio` samplers record, 0 to 1.',
  },
  OTEL_BSP_SCHEDULE_DELAY: {
    schema: whole(600_000).default(5_000),
    text: 'Milliseconds between exports.',
  },
  OTEL_BSP_MAX_QUEUE_SIZE: {
    schema: whole(1_000_000).default(2_048),
    text: 'Spans that may wait for an export; further ones are dropped.',
  },
} as const satisfies Record<string, Variable>;
