/** The FAA's NOTAM service: OAuth2 client credentials, changes as GeoJSON, the initial load as AIXM. */
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { NotamBatch } from '#domain/notam/types.ts';
import { SourceError, shownAddress } from '#domain/source-error.ts';
import { fetchSource } from '../fetch.ts';
import type { FetchOptions } from '../fetch.ts';
import { parseNotamFile } from './content.ts';

export interface NmsAccess extends Pick<FetchOptions, 'http' | 'signal' | 'timeoutMs' | 'maxBytes'> {
  /** For example https://api-nms.aim.faa.gov, without a path. */
  baseUrl: string;
  /** Default: `baseUrl` + /v1/auth/token. */
  tokenUrl?: string | undefined;
  clientId: string;
  clientSecret: string;
  /** Waits between requests; the service allows one per second. */
  wait?: (ms: number) => Promise<unknown>;
}

const tokenAnswerSchema = z.object({ access_token: z.string().min(1) });
const spacingMs = 1_050;
const longestDeltaMs = 23 * 3_600_000;

/** A delta covers at most a day; after a longer gap everything is loaded again. */
export const needsInitialLoad = (lastRun: Date | null, now: Date): boolean =>
  lastRun === null || now.getTime() - lastRun.getTime() > longestDeltaMs;

const bytesOf = async (address: string, options: FetchOptions): Promise<Buffer> => {
  const fetched = await fetchSource(address, options);
  if (fetched.kind === 'data') return fetched.bytes;
  throw new SourceError('STATUS', `${shownAddress(address)} returned no content.`);
};

const fetchToken = async (access: NmsAccess, base: string): Promise<string> => {
  const { tokenUrl = `${base}/v1/auth/token`, clientId, clientSecret } = access;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const bytes = await bytesOf(tokenUrl, {
    ...access,
    method: 'POST',
    headers: { authorization: `Basic ${basic}`, accept: 'application/json' },
    form: { grant_type: 'client_credentials' },
  });
  try {
    return tokenAnswerSchema.parse(JSON.parse(bytes.toString())).access_token;
  } catch (error) {
    throw new SourceError('CORRUPT', `${shownAddress(tokenUrl)} returned no access token.`, { cause: error });
  }
};

const read = async (
  access: NmsAccess,
  path: string,
  format: 'GEOJSON' | 'AIXM',
  hosts: FetchOptions['hosts'],
): Promise<NotamBatch> => {
  const base = access.baseUrl.replace(/\/+$/, '');
  const token = await fetchToken(access, base);
  await (access.wait ?? sleep)(spacingMs);
  const address = `${base}/nmsapi/v1/notams${path}`;
  const headers = { authorization: `Bearer ${token}`, nmsResponseFormat: format };
  const bytes = await bytesOf(address, { ...access, headers, ...(hosts && { hosts }) });
  return parseNotamFile(shownAddress(address), bytes);
};

/** NOTAM changed since this time, including cancelled ones. At most 24 h back. Throws `SourceError`. */
export const nmsDelta = (access: NmsAccess, since: Date): Promise<NotamBatch> =>
  read(access, `?lastUpdatedDate=${encodeURIComponent(since.toISOString())}`, 'GEOJSON', undefined);

/** All NOTAM in force: the service redirects to a signed file on another host, which gets no token. */
export const nmsInitialLoad = (access: NmsAccess): Promise<NotamBatch> =>
  read(access, '/il?allowRedirect=true', 'AIXM', 'any');
