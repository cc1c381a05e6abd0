import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { traceOfLine } from './tracing/current.ts';
import { redactedText } from './redaction/redact.ts';

const maxLineBytes = 65_536;
const lineStart = /^\{"level":\d+,"time":"[^"]*"(?:,"app":"[^"]*")?,/;

/**
 * A line that may be written: completely redacted, including messages and stacks of errors; a long one is
 * truncated.
 */
const safeLine = (line: string): string => {
  const redacted = redactedText(line, maxLineBytes);
  if (redacted.endsWith('\n')) return redacted;
  const start = lineStart.exec(line)?.[0] ?? '{';
  return `${start}${redacted.slice(1)}\n`;
};

/** The pino logger of an application. Secrets by name and by value never reach its lines, at any depth (M-5.8). */
export const createLogger = (application: string, level: string, destination?: DestinationStream): Logger =>
  pino(
    {
      level,
      base: { app: application },
      timestamp: pino.stdTimeFunctions.isoTime,
      mixin: traceOfLine,
      hooks: { streamWrite: safeLine },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  );
