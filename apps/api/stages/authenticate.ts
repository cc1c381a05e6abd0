import type { Caller, DeveloperKey } from '#domain/users/types.ts';
import type { KeyNeed } from '../define.ts';
import type { Services } from '../services/services.ts';

export interface Credentials {
  authorization: string | undefined;
  keyHeader: string | undefined;
  body: Readonly<Record<string, unknown>>;
}

export interface Authenticated {
  caller: Caller | null;
  /** The key that the user's token was issued for. */
  tokenKeyId: number | null;
}

const nobody: Authenticated = { caller: null, tokenKeyId: null };

/** The user of a bearer token: signature, expiry, then the generation that a password reset raises (G-03). */
export const authenticateBearer = async (
  services: Services,
  header: string | undefined,
): Promise<Authenticated> => {
  const token = /^Bearer ([\w.~+/-]+=*)$/i.exec(header ?? '')?.[1];
  if (token === undefined) return nobody;
  const claims = await services.tokens.verify(token);
  if (!claims) return nobody;
  const caller = await services.identities.byUserId(claims.userId);
  if (!caller || caller.tokenGeneration !== claims.generation) return nobody;
  return { caller, tokenKeyId: claims.developerKeyId };
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length > 0 && value.length <= 200 ? value : undefined;

/** Header, `dev_key`, `devKey`, then the key inside the token (G-04). `presented` tells a wrong key from none. */
export const resolveKey = async (
  services: Services,
  credentials: Credentials,
  tokenKeyId: number | null,
): Promise<{ key: DeveloperKey | null; presented: boolean }> => {
  const given =
    text(credentials.keyHeader) ?? text(credentials.body['dev_key']) ?? text(credentials.body['devKey']);
  if (given !== undefined) return { key: await services.identities.keyByText(given), presented: true };
  if (tokenKeyId !== null) return { key: await services.identities.keyById(tokenKeyId), presented: false };
  return { key: null, presented: false };
};

const userInfoRank = { SIMPLE: 1, MEDIUM: 2, FULL: 3 } as const;

export const keyAllows = (key: DeveloperKey, need: KeyNeed): boolean => {
  if (need === 'any') return true;
  if (typeof need === 'string') return key[need];
  if ('userInfo' in need) {
    return (
      key.userInfo !== null &&
      (need.userInfo === 'any' || userInfoRank[key.userInfo] >= userInfoRank[need.userInfo])
    );
  }
  return key.subscription === 'FULL' || (key.subscription === 'READ' && need.subscription === 'READ');
};
