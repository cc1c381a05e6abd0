/** Redirects of sources: an address that has moved is followed once, where that is safe. */
import type { IncomingHttpHeaders } from 'node:http';
import type { StreamOptions } from 'got';
import { openAnswer } from '#platform/http.ts';
import type { Http, OpenAnswer } from '#platform/http.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';

export type Hosts = ReadonlySet<string> | 'any';

interface RedirectOptions {
  http: Http;
  /** Hosts of the configured sources. */
  hosts?: Hosts | undefined;
  method?: string | undefined;
}

/** Where an answer redirects to, and why that must not be followed. */
interface Redirect {
  target: string;
  refusal: string | null;
}

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

const refusalOf = (from: URL, to: URL, hosts: Hosts, method: string): string | null => {
  if (method !== 'GET') return 'only requests without a body are sent again';
  if (!/^https?:$/.test(to.protocol)) return 'it is not a web address';
  if (from.protocol === 'https:' && to.protocol !== 'https:') return 'it gives up encryption';
  if (to.hostname !== from.hostname && hosts !== 'any' && !hosts.has(to.hostname))
    return 'it is on another host';
  return null;
};

/**
 * The redirect of an answer; null for any other answer. Followed are only requests without a body, to the same host or one of
 * the configured sources, and never from https to http.
 */
const redirectOf = (
  address: string,
  { statusCode, headers }: { statusCode: number; headers: IncomingHttpHeaders },
  { hosts = new Set(), method = 'GET' }: RedirectOptions,
): Redirect | null => {
  if (!statuses.has(statusCode)) return null;
  const { location } = headers;
  if (location === undefined || !URL.canParse(location, address))
    return { target: 'elsewhere', refusal: 'it names no address' };
  const to = new URL(location, address);
  return { target: to.href, refusal: refusalOf(new URL(address), to, hosts, method) };
};

const redirectError = (address: string, target: string, status: number, why: string): SourceError =>
  new SourceError(
    'REDIRECT',
    `${shownAddress(address)} redirects to ${shownAddress(target)} (${status}): ${why}. The address has changed or requires a login.`,
  );

/** Opens an address, and the one that it redirects to; a second redirect is refused. */
export const openMoved = async (
  address: string,
  options: RedirectOptions,
  request: StreamOptions,
): Promise<{ answer: OpenAnswer; movedTo: string | null }> => {
  const answer = await openAnswer(options.http, address, request);
  const redirect = redirectOf(address, answer.response, options);
  if (redirect === null) return { answer, movedTo: null };
  answer.stream.destroy();
  const { target, refusal } = redirect;
  const status = answer.response.statusCode;
  if (refusal !== null) throw redirectError(address, target, status, refusal);
  const isSameHost = new URL(target).hostname === new URL(address).hostname;
  const { authorization: _, ...open } = (request.headers ?? {}) as Record<string, string>;
  const moved = await openAnswer(options.http, target, isSameHost ? request : { ...request, headers: open });
  const next = redirectOf(target, moved.response, options);
  const { statusCode } = moved.response;
  if (next === null && statusCode < 400) return { answer: moved, movedTo: target };
  moved.stream.destroy();
  throw redirectError(address, target, status, next ? 'it redirects again' : `it answers with ${statusCode}`);
};
