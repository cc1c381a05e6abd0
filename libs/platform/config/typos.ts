import { editDistance } from '#domain/fields/nearest.ts';
import { variables } from './variables.ts';

/** Short names are one letter away from common ones of others: `HOST` and `HOME`. */
const shortest = 5;

const isTypo = (given: string, known: string): boolean =>
  Math.abs(given.length - known.length) <= 2 && editDistance(given, known) <= (known.length < 8 ? 1 : 2);

/** Variables of earlier versions, and what is so now without them. */
const removed: Readonly<Record<string, string>> = {
  AUDIT_DAYS: 'changes by operators are kept for two years',
  BACKUP_MB_PER_SECOND: 'a backup slows down with the load of the machine',
  JWT_LIFETIME_SECONDS: 'the token of a login is valid for a day',
  JWT_RENEWED_LIFETIME_SECONDS: 'a renewed token is valid for 30 days',
  OTEL_BSP_MAX_QUEUE_SIZE: 'up to 2,048 spans wait for an export',
  OTEL_BSP_SCHEDULE_DELAY: 'traces are exported every second',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'traces are sent as JSON',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'OTEL_EXPORTER_OTLP_ENDPOINT is the address of the collector',
  OTEL_SDK_DISABLED: 'there are no traces without OTEL_EXPORTER_OTLP_ENDPOINT',
  OTEL_TRACES_EXPORTER: 'there are no traces without OTEL_EXPORTER_OTLP_ENDPOINT',
  OTEL_TRACES_SAMPLER: 'OTEL_TRACES_SAMPLER_ARG is the share of traces that are recorded',
  REDIS_WAIT_MS: 'Redis has two seconds for an answer',
  SMTP_ANSWER_SECONDS: 'a mail server has ten minutes for an answer',
  WARM_UP: 'an API that runs on its own is always warmed up',
};

/** One sentence for each environment variable that is no longer read, or is unknown and nearly has the name of a known one. */
export const variableTypos = (env: Record<string, string | undefined> = process.env): string[] => {
  const names = Object.keys(variables);
  const known = new Set(names);
  return Object.keys(env)
    .filter((given) => !known.has(given) && given.length >= shortest)
    .flatMap((given) => {
      const now = removed[given];
      if (now !== undefined) return [`${given} is no longer read: ${now}.`];
      const meant = names.find((name) => isTypo(given, name));
      return meant === undefined
        ? []
        : [`${given} is not a variable of this service. Did you mean ${meant}?`];
    });
};
