import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { addSeconds } from '#domain/time.ts';
import type { Clock } from '#domain/time.ts';
import type { Caller } from '#domain/users/types.ts';
import type { Config } from '#platform/config/config.ts';
import { issueTime } from './confirmations.ts';

const downloadLifetimeSeconds = 3_600;

/** One version of a file for one user. */
interface Download {
  fileId: number;
  version: number;
  userId: number;
}

type LinkUser = Pick<Caller, 'userId' | 'credentialsFrom'>;

/** What a link allows, or why it is refused. */
type DownloadCheck =
  | { download: Download; issuedAt: Date; expiresAt: Date; problem: null }
  | { download: null; problem: 'invalid' | 'expired' };

interface DownloadLinks {
  /** URLs of files as this user sees them, valid for an hour without credentials. */
  to: (user: LinkUser) => (file: { id: number; version: number }) => string;
  verify: (fileId: string, query: Readonly<Record<string, string | string[] | undefined>>) => DownloadCheck;
}

const number = /^[1-9]\d{0,15}$/;
const signature = /^[\w-]{43}$/;
const invalid: DownloadCheck = { download: null, problem: 'invalid' };

/** Links signed with a key that is derived from the first of JWT_SECRET; links of the other keys remain valid. */
export const createDownloadLinks = (
  { JWT_SECRET, BASE_URL }: Pick<Config, 'JWT_SECRET' | 'BASE_URL'>,
  clock: Clock,
): DownloadLinks => {
  const keys = JWT_SECRET.map((secret) => createHmac('sha256', secret).update('library download').digest());
  const [signingKey] = keys;
  if (!signingKey) throw new Error('JWT_SECRET contains no key');
  /** Computed once for all links of a sync. */
  const secretOf = (key: Buffer, userId: number, expires: number): string =>
    createHmac('sha256', key).update(`${userId}.${expires}`).digest('base64url');
  // A third of the time of an HMAC; unlike SHA-256, the truncated SHA-512 cannot be extended.
  const sign = (secret: string, fileId: number, version: number): string =>
    hash('sha512-256', `${secret}.${fileId}.${version}`, 'base64url');
  const isSigned = ({ fileId, version, userId }: Download, expires: number, given: string): boolean =>
    keys.some((key) => {
      const signed = sign(secretOf(key, userId, expires), fileId, version);
      return timingSafeEqual(Buffer.from(signed), Buffer.from(given));
    });

  return {
    to: (user) => {
      const { userId } = user;
      const issued = Math.floor(issueTime(clock.now(), user).getTime() / 1_000);
      const expires = issued + downloadLifetimeSeconds;
      const secret = secretOf(signingKey, userId, expires);
      return ({ id, version }) =>
        `${BASE_URL}/library/${id}?version=${version}&user=${userId}&expires=${expires}` +
        `&signature=${sign(secret, id, version)}`;
    },
    verify: (fileId, { version, user, expires, signature: given }) => {
      if (typeof given !== 'string' || !signature.test(given)) return invalid;
      const texts = [fileId, version, user, expires];
      if (!texts.every((text) => typeof text === 'string' && number.test(text))) return invalid;
      const [file = 0, versionNumber = 0, userId = 0, expiresSeconds = 0] = texts.map(Number);
      const download = { fileId: file, version: versionNumber, userId };
      if (!isSigned(download, expiresSeconds, given)) return invalid;
      const expiresAt = new Date(expiresSeconds * 1_000);
      if (expiresAt <= clock.now()) return { download: null, problem: 'expired' };
      const issuedAt = addSeconds(expiresAt, -downloadLifetimeSeconds);
      return { download, issuedAt, expiresAt, problem: null };
    },
  };
};
