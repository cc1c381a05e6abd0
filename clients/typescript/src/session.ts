import { EfbError } from './errors.ts';
import type { ClientOptions, Credentials, Token } from './types.ts';

export interface Session {
  /** The token for a call that needs a user, renewed shortly before it expires; null without credentials. */
  token: () => Promise<string | null>;
  /** Drops a refused token; returns whether a new one can be obtained. */
  renew: (refused: string | null) => boolean;
  use: (token: Token | null) => void;
}

/** A new token is fetched this long before the old one expires, so that it does not expire during a call. */
const marginMs = 60_000;
/** Tokens with less than this left are renewed; a renewed one has 30 days, so this happens once a day. */
const renewBelowMs = 29 * 86_400_000;
/** After a failed renewal, the current token is used for this long. */
const pauseMs = 60_000;

interface Calls {
  login: (credentials: Credentials) => Promise<Token>;
  refresh: (token: string) => Promise<Token>;
}

/** Gets a new token by renewal with `staysSignedIn`, otherwise by logging in. Concurrent calls share it. */
export const createSession = (
  { token: first = null, credentials, staysSignedIn = false, onToken }: ClientOptions,
  { login, refresh }: Calls,
): Session => {
  let current: { token: string; endMs: number; renewFromMs: number } | null = null;
  let pending: Promise<string> | null = null;
  const keep = ({ token, expires, expiresIn }: Token, isTried = false): void => {
    const endMs = expiresIn === undefined ? Date.parse(expires) : Date.now() + expiresIn * 1000;
    const known = Number.isNaN(endMs) ? Infinity : endMs;
    current = { token, endMs: isTried ? Infinity : known, renewFromMs: known - renewBelowMs };
  };
  const use = (token: Token | null): void => {
    current = null;
    if (!token) return;
    keep(token);
    onToken?.({ token: token.token, expires: token.expires });
  };
  // This device's clock may be wrong; only the service knows whether a stored token has expired.
  if (first) keep(first, credentials !== undefined);
  const signIn = async (give: () => Credentials | Promise<Credentials>): Promise<string> => {
    try {
      const answer = await login(await give());
      use(answer);
      return answer.token;
    } finally {
      pending = null;
    }
  };
  /** The renewed token, or the current one if renewal fails, since it is still valid. */
  const renewed = async (present: NonNullable<typeof current>): Promise<string> => {
    try {
      const answer = await refresh(present.token);
      // In the meantime the user has signed out, or signed in as another user.
      if (current !== present) return present.token;
      use(answer);
      return answer.token;
    } catch (error) {
      if (!(error instanceof EfbError)) throw error;
      // The call that needs the token reports its problem.
      present.renewFromMs = Date.now() + pauseMs;
      return present.token;
    } finally {
      pending = null;
    }
  };
  return {
    token: async () => {
      const now = Date.now();
      if (staysSignedIn && current && current.renewFromMs <= now && now < current.endMs) {
        pending ??= renewed(current);
        return pending;
      }
      if (current && (!credentials || current.endMs - Date.now() > marginMs)) return current.token;
      if (!credentials) return null;
      pending ??= signIn(credentials);
      return pending;
    },
    renew: (refused) => {
      if (!credentials) return false;
      if (current?.token === refused) current = null;
      return true;
    },
    use,
  };
};
