import { SignJWT, jwtVerify } from 'jose';
import type { JWTHeaderParameters } from 'jose';
import type { Clock } from '#domain/time.ts';
import { keyIdOf } from '../config.ts';
import type { Config } from '../config.ts';

const issuer = 'efb-backend';
const audience = 'main-interface';
/** One algorithm, so that a token cannot choose a weaker one. */
const algorithm = 'HS256';
const maxTokenLength = 4_096;
const cacheSize = 10_000;

export interface TokenClaims {
  userId: number;
  developerKeyId: number | null;
  generation: number;
  expiresAt: Date;
}

export interface IssuedToken {
  token: string;
  expiresAt: Date;
  expiresInSeconds: number;
}

export interface Tokens {
  issue(claims: Omit<TokenClaims, 'expiresAt'>): Promise<IssuedToken>;
  /** Null when the token is not one of ours, was changed, or has ended. */
  verify(token: string): Promise<TokenClaims | null>;
}

/** User tokens: the first key of JWT_SECRET signs, every key verifies, the header says which one. */
export const createTokens = (config: Config, clock: Clock): Tokens => {
  const keys = new Map(config.JWT_SECRET.map((key) => [keyIdOf(key), new TextEncoder().encode(key)]));
  const [signingId] = keys.keys();
  if (signingId === undefined) throw new Error('JWT_SECRET holds no key');
  const signingKey = keys.get(signingId) ?? new Uint8Array();
  // A signature needs checking once; expiry and generation are checked on every use.
  const verified = new Map<string, TokenClaims>();

  const keyFor = (header: JWTHeaderParameters) => {
    const key = header.kid === undefined ? undefined : keys.get(header.kid);
    if (!key) throw new Error('unknown key');
    return key;
  };

  const check = async (token: string): Promise<TokenClaims | null> => {
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
      const { gen: generation, key, exp } = payload;
      if (!Number.isSafeInteger(userId) || typeof generation !== 'number' || exp === undefined) return null;
      return {
        userId,
        generation,
        developerKeyId: typeof key === 'number' ? key : null,
        expiresAt: new Date(exp * 1000),
      };
    } catch {
      // Whatever is wrong with a token, the answer is the same: it does not authenticate.
      return null;
    }
  };

  return {
    issue: async ({ userId, developerKeyId, generation }) => {
      const issued = Math.floor(clock.now().getTime() / 1000);
      const expires = issued + config.JWT_LIFETIME_SECONDS;
      const token = await new SignJWT({
        gen: generation,
        ...(developerKeyId === null ? {} : { key: developerKeyId }),
      })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', kid: signingId })
        .setSubject(String(userId))
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issued)
        .setExpirationTime(expires)
        .sign(signingKey);
      return { token, expiresAt: new Date(expires * 1000), expiresInSeconds: config.JWT_LIFETIME_SECONDS };
    },
    verify: async (token) => {
      if (token.length > maxTokenLength) return null;
      const known = verified.get(token);
      if (known) return known.expiresAt > clock.now() ? known : null;
      const claims = await check(token);
      if (claims) {
        if (verified.size >= cacheSize) verified.delete(verified.keys().next().value ?? '');
        verified.set(token, claims);
      }
      return claims;
    },
  };
};
