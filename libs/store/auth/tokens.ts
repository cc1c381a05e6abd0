import { SignJWT, errors, jwtVerify } from 'jose';
import type { JWTHeaderParameters } from 'jose';
import type { Clock } from '#domain/time.ts';
import { keyIdOf } from '#platform/config/config.ts';
import type { Config } from '#platform/config/config.ts';

const issuer = 'efb-backend';
const audience = 'main-interface';
/** One algorithm, so that a token cannot choose a weaker one. */
const algorithm = 'HS256';
const maxTokenLength = 4_096;
const guestSeconds = 3_600;

const malformed: TokenCheck = { claims: null, problem: 'malformed' };
const expired: TokenCheck = { claims: null, problem: 'expired' };

export interface TokenClaims {
  userId: number;
  developerKeyId: number | null;
  generation: number;
  /** Session that ends the token; null for tokens of visitors and of versions without sessions. */
  session: number | null;
  /** A visitor without an account, who may do only what operations declare with `isForGuests`. */
  isGuest: boolean;
  expiresAt: Date;
}

export interface IssuedToken {
  token: string;
  expiresAt: Date;
  expiresInSeconds: number;
}

/** Lifetime of a login's token. */
export const loginSeconds = 86_400;

/** The claims of a token, or why it is invalid. */
type TokenCheck = { claims: TokenClaims; problem: null } | { claims: null; problem: 'malformed' | 'expired' };

interface NewToken extends Pick<TokenClaims, 'userId' | 'developerKeyId' | 'generation'> {
  session?: number | null;
  isGuest?: true;
  /** Default: the lifetime of a login's token. */
  lifetimeSeconds?: number;
}

export interface Tokens {
  /** A guest's token lasts an hour at most. */
  issue: (token: NewToken) => Promise<IssuedToken>;
  /** `malformed` includes tokens that this service did not issue or that were changed. */
  verify: (token: string) => Promise<TokenCheck>;
}

/** User tokens: the first key of JWT_SECRET signs, every key verifies, the header names the key. */
export const createTokens = (config: Config, clock: Clock): Tokens => {
  const keys = new Map(config.JWT_SECRET.map((key) => [keyIdOf(key), new TextEncoder().encode(key)]));
  const [signingId] = keys.keys();
  if (signingId === undefined) throw new Error('JWT_SECRET contains no key');
  const signingKey = keys.get(signingId) ?? new Uint8Array();

  const keyFor = (header: JWTHeaderParameters) => {
    const key = header.kid === undefined ? undefined : keys.get(header.kid);
    if (!key) throw new Error('unknown key');
    return key;
  };

  const check = async (token: string): Promise<TokenCheck> => {
    try {
      const { payload } = await jwtVerify(token, keyFor, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: 'JWT',
        requiredClaims: ['sub', 'exp', 'iat', 'gen'],
        currentDate: clock.now(),
      });
      const userId = Number(payload.sub);
      const { gen: generation, key, sid, guest, exp } = payload;
      if (!Number.isSafeInteger(userId) || typeof generation !== 'number' || exp === undefined)
        return malformed;
      const claims = {
        userId,
        generation,
        developerKeyId: typeof key === 'number' ? key : null,
        session: typeof sid === 'number' ? sid : null,
        isGuest: guest === true,
        expiresAt: new Date(exp * 1000),
      };
      return { claims, problem: null };
    } catch (error) {
      // The signature is checked before the expiry, so only genuine tokens are reported as expired.
      return error instanceof errors.JWTExpired ? expired : malformed;
    }
  };

  return {
    issue: async ({ userId, developerKeyId, generation, session = null, isGuest, lifetimeSeconds }) => {
      const issued = Math.floor(clock.now().getTime() / 1000);
      const longest = lifetimeSeconds ?? loginSeconds;
      const lifetime = isGuest ? Math.min(longest, guestSeconds) : longest;
      const expires = issued + lifetime;
      const token = await new SignJWT({
        gen: generation,
        ...(developerKeyId === null ? {} : { key: developerKeyId }),
        ...(session === null ? {} : { sid: session }),
        ...(isGuest ? { guest: true } : {}),
      })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: signingId })
        .setSubject(String(userId))
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issued)
        .setExpirationTime(expires)
        .sign(signingKey);
      return { token, expiresAt: new Date(expires * 1000), expiresInSeconds: lifetime };
    },
    verify: async (token) => (token.length > maxTokenLength ? malformed : check(token)),
  };
};
