/** Follows a source's redirect once, if it is safe. */
import type { PlainResponse, StreamOptions } from 'got';
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

const statuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Why a redirect must not be followed. Followed are only requests without a body, to the same host or one of the configured
 * sources, and never from https to http.
 */
const refusalOf = (
  from: URL,
  { headers: { location }, redirectUrls }: PlainResponse,
  { hosts = new Set(), method = 'GET' }: RedirectOptions,
): string | null => {
  if (redirectUrls.length > 0) return 'it redirects again';
  if (location === undefined || !URL.canParse(location, from.href)) return 'it names no address';
  const to = new URL(location, from);
  if (method !== 'GET') return 'only requests without a body are sent again';
  if (!/^https?:$/.test(to.protocol)) return 'it is not a web address';
  if (from.protocol === 'https:' && to.protocol !== 'https:') return 'it gives up encryption';
  if (to.hostname !== from.hostname && hosts !== 'any' && !hosts.has(to.hostname))
    return 'it is on another host';
  return null;
};

/** Opens an address or its redirect target, which gets no credentials meant for another host. */
export const openMoved = async (
  address: string,
  options: RedirectOptions,
  request: StreamOptions,
): Promise<{ answer: OpenAnswer; movedTo: string | null }> => {
  const from = new URL(address);
  const followRedirect = (response: PlainResponse) => refusalOf(from, response, options) === null;
  const answer = await openAnswer(options.http, address, { ...request, followRedirect });
  const { statusCode, headers, redirectUrls } = answer.response;
  const movedTo = redirectUrls[0]?.href ?? null;
  const refusal = statuses.has(statusCode) ? refusalOf(from, answer.response, options) : null;
  const why = refusal ?? (movedTo !== null && statusCode >= 400 ? `it answers with ${statusCode}` : null);
  if (why === null) return { answer, movedTo };
  answer.stream.destroy();
  const target = movedTo ?? URL.parse(headers.location ?? '', from)?.href ?? 'elsewhere';
  throw new SourceError(
    'REDIRECT',
    `${shownAddress(address)} redirects to ${shownAddress(target)}: ${why}. The address has changed or requires a login.`,
  );
};
