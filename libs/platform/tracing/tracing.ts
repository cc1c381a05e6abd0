import type { Config } from '../config/config.ts';
import { createLogger } from '../log/log.ts';

export interface Tracing {
  /** Exports what is waiting, for at most a second. */
  close: () => Promise<void>;
}

const isWanted = (config: Config): boolean =>
  !config.OTEL_SDK_DISABLED &&
  config.OTEL_TRACES_EXPORTER !== 'none' &&
  (config.OTEL_EXPORTER_OTLP_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) !== undefined;

/**
 * Starts the tracing of this process where it is configured, else resolves to null: OpenTelemetry is not
 * even loaded then. `name` is that of the tier.
 */
export const startTracing = async (config: Config, name: string): Promise<Tracing | null> => {
  if (!isWanted(config)) return null;
  const { createTracing } = await import('./opentelemetry.ts');
  return createTracing(config, name, createLogger(name, config.LOG_LEVEL));
};
