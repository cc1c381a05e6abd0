import type { Config } from '../config/config.ts';
import { createLogger } from '../log/log.ts';

export interface Tracing {
  /** Exports pending spans, for at most a second. */
  close: () => Promise<void>;
}

/**
 * Starts this tier's tracing if configured. Otherwise resolves to null without loading OpenTelemetry.
 */
export const startTracing = async (config: Config, name: string): Promise<Tracing | null> => {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing(config, name, createLogger(name, config.LOG_LEVEL));
};
