import type { RequestLogRow } from '#data/postgres/requests/log.ts';
import { writeJson } from '#domain/text/json-text.ts';
import { cut, redact } from '#platform/redaction/redact.ts';

export interface LogEntry extends Omit<RequestLogRow, 'headers' | 'request' | 'response'> {
  headers: Readonly<Record<string, unknown>>;
  /** The parsed body, without what the operation keeps from the log. */
  request: Readonly<Record<string, unknown>>;
  /** Size as received; 0 when unknown. */
  requestBytes: number;
  /** True only when credentials were accepted and the call was not refused; otherwise the size is kept. */
  isBodyKept: boolean;
  response: Readonly<Record<string, unknown>>;
  /** Its JSON, which is stored as it is when there is nothing to redact. */
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
  const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  return cut(JSON.stringify(redact(Object.fromEntries(kept))), maxHeaderBytes);
};

const requestOf = ({ request, requestBytes, isBodyKept }: LogEntry): string | null => {
  if (!isBodyKept && requestBytes > 0) return JSON.stringify({ isBodyKept, bytes: requestBytes });
  if (Object.keys(request).length === 0) return null;
  if (isBodyKept) return cut(JSON.stringify(redact(request)), maxBodyBytes);
  return JSON.stringify({ isBodyKept, bytes: Buffer.byteLength(JSON.stringify(request)) });
};

const responseOf = ({ response, responseText }: LogEntry): string => {
  const shown = redact(response);
  return cut(shown === response ? responseText : writeJson(shown).logged, maxBodyBytes);
};

/** The row of an entry, redacted (M-5.8) and cut. */
export const rowOf = (entry: LogEntry): RequestLogRow => {
  const { requestBytes: _bytes, isBodyKept: _kept, responseText: _text, ...row } = entry;
  return {
    ...row,
    requestId: redact(entry.requestId),
    ip: redact(entry.ip.slice(0, maxIpLength)),
    headers: headersOf(entry.headers),
    request: requestOf(entry),
    response: responseOf(entry),
  };
};

/** Number of characters of a row in memory and in a statement. */
export const sizeOfRow = ({ headers, request, response }: RequestLogRow): number =>
  256 + (headers?.length ?? 0) + (request?.length ?? 0) + (response?.length ?? 0);
