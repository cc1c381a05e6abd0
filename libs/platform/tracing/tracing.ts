import type { Config } from '../config/config.ts';
import { createLogger } from '../log/log.ts';

export interface Tracing {
  /** Exports what is waiting, for at most a second. */
  close: () => Promise<void>;
}

/**
 * Starts the tracing of this process where it is configured, else resolves to null: OpenTelemetry is not
 * even loaded then. `name` is that of the tier.
 */
export const startTracing = async (config: Config, name: string): Promise<Tracing | null> => {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return null;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing(config, name, createLogger(name, config.LOG_LEVEL));
};
