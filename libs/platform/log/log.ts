import { createRequire } from 'node:module';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import { traceOfLine } from '../tracing/current.ts';
import { cut, redact } from '../redaction/redact.ts';

const maxLineBytes = 65_536;
const lineStart = /^\{"level":\d+,"time":"[^"]*"(?:,"app":"[^"]*")?,/;

/** A log line, redacted including error messages and stacks, and truncated. */
const safeLine = (line: string): string => {
  const redacted = JSON.stringify(redact(JSON.parse(line) as unknown));
  const shown = cut(redacted, maxLineBytes);
  if (shown === redacted) return `${shown}\n`;
  return `${lineStart.exec(line)?.[0] ?? '{'}${shown.slice(1)}\n`;
};

type LogFormat = 'json' | 'pretty';

/** `LOG_FORMAT`, or by default plain lines on a terminal and JSON elsewhere. */
export const logFormatOf = (given?: LogFormat): LogFormat =>
  given ?? (process.stdout.isTTY ? 'pretty' : 'json');

/** Loaded on demand, since most processes write JSON. */
const createPrettifier = () => {
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  return prettyFactory({
    colorize: process.stdout.isTTY && process.stdout.hasColors(),
    translateTime: 'SYS:HH:MM:ss',
    ignore: 'pid,hostname,app,trace_id,span_id',
    messageFormat: '{app}: {msg}',
    singleLine: true,
  });
};

interface LogOptions {
  /** Default: standard output. */
  destination?: DestinationStream;
  format?: LogFormat | undefined;
}

/** The pino logger of an application. It redacts secrets by name and by value at any depth (M-5.8). */
export const createLogger = (
  application: string,
  level: string,
  { destination, format }: LogOptions = {},
): Logger => {
  const isPretty = destination === undefined ? logFormatOf(format) === 'pretty' : format === 'pretty';
  const prettify = isPretty ? createPrettifier() : null;
  return pino(
    {
      level,
      base: { app: application },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceOfLine,
      hooks: {
        streamWrite: (line) => {
          const safe = safeLine(line);
          return prettify?.(safe) ?? safe;
        },
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
};
