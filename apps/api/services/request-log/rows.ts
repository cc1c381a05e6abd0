import { createHmac } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { redactedText, redacting } from '#platform/redaction/redact.ts';
import type { Steps } from '#platform/redaction/steps.ts';
import { withoutSecretValues } from '#platform/redaction/values.ts';

export interface LogEntry extends Omit<RequestLogRow, 'headers' | 'request' | 'response'> {
  headers: Readonly<Record<string, unknown>>;
  /** The body as received; null for a form and for a call without HTTP, whose `request` is written as JSON. */
  requestText: string | null;
  request: Readonly<Record<string, unknown>>;
  /** Size as received; 0 when unknown. */
  requestBytes: number;
  /**
   * True only when credentials were accepted and the call was not refused; otherwise size and digest are kept.
   */
  isBodyKept: boolean;
  responseText: string;
}

/** Maximum size of a stored body in bytes (M-8.24). */
const maxBodyBytes = 1_000_000;
const maxHeaderBytes = 16_384;
const maxIpLength = 64;

/** What a report needs to know of a client; credentials are never among it. */
const keptHeaders = [
  'user-agent',
  'content-type',
  'content-length',
  'origin',
  'accept-language',
  'x-forwarded-for',
  'x-api-version',
  'x-svc-client',
  'x-svc-device',
  'x-svc-os',
  'x-svc-app-version',
  'x-svc-build',
  'x-svc-contract-version',
] as const;

const headersOf = (headers: LogEntry['headers']): string => {
  const kept: Record<string, unknown> = {};
  for (const name of keptHeaders) if (headers[name] !== undefined) kept[name] = headers[name];
  return redactedText(JSON.stringify(kept), maxHeaderBytes);
};

const requestOf = function* (entry: LogEntry, digestKey: KeyObject): Steps<string | null> {
  const isEmpty = entry.requestText === null && Object.keys(entry.request).length === 0;
  const text = isEmpty ? '' : (entry.requestText ?? JSON.stringify(entry.request));
  if (entry.isBodyKept) return yield* redacting(text, maxBodyBytes);
  const bytes = entry.requestBytes > 0 ? entry.requestBytes : Buffer.byteLength(text);
  if (bytes === 0) return null;
  // Keyed, because the plain hash of a short body with a password would allow guessing the password.
  const hmacSha256 = isEmpty ? null : createHmac('sha256', digestKey).update(text).digest('hex');
  return JSON.stringify({ isBodyKept: false, bytes, hmacSha256 });
};

/** The row of an entry, in steps: redacted, truncated, and without text that the database cannot store. */
export const rowOf = function* (entry: LogEntry, digestKey: KeyObject): Steps<RequestLogRow> {
  return {
    id: entry.id,
    requestId: withoutSecretValues(entry.requestId),
    query: entry.query,
    userId: entry.userId,
    developerKeyId: entry.developerKeyId,
    status: entry.status,
    errorCode: entry.errorCode,
    durationMs: entry.durationMs,
    ip: withoutSecretValues(entry.ip.slice(0, maxIpLength)),
    headers: headersOf(entry.headers),
    request: yield* requestOf(entry, digestKey),
    response: yield* redacting(entry.responseText, maxBodyBytes),
    isCalculation: entry.isCalculation,
    createdAt: entry.createdAt,
  };
};

/** Number of characters in the texts of an entry. */
export const sizeOfEntry = ({ requestText, requestBytes, responseText }: LogEntry): number =>
  (requestText?.length ?? requestBytes) + responseText.length;

/** The entry without its bodies, with their sizes. */
export const withoutBodies = (entry: LogEntry): LogEntry => ({
  ...entry,
  isBodyKept: false,
  requestBytes: entry.requestBytes || (entry.requestText?.length ?? 0),
  requestText: null,
  request: {},
  responseText: JSON.stringify({ isBodyKept: false, bytes: Buffer.byteLength(entry.responseText) }),
});

/** Number of characters of a row in memory and in a statement. */
export const sizeOfRow = ({ headers, request, response }: RequestLogRow): number =>
  256 + (headers?.length ?? 0) + (request?.length ?? 0) + (response?.length ?? 0);
