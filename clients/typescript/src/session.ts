import type { ClientOptions, Credentials, Token } from './types.ts';

export interface Session {
  /** The token for a call that needs a user, a new one shortly before the old one expires; null without credentials. */
  token: () => Promise<string | null>;
  /** Drops a refused token; whether a new one can be had. */
  renew: (refused: string | null) => boolean;
  use: (token: Token | null) => void;
}

/** A new token is fetched this long before the end of the old one, so that no call meets the end. */
const marginMs = 60_000;

/**
 * The service has no refresh tokens: a new token is a new login. Calls at the same time share one login.
 */
export const createSession = (
  { token: first = null, credentials, onToken }: ClientOptions,
  login: (credentials: Credentials) => Promise<Token>,
): Session => {
  let current: { token: string; endMs: number } | null = null;
  let pending: Promise<string> | null = null;
  const keep = ({ token, expires, expiresIn }: Token): void => {
    const endMs = expiresIn === undefined ? Date.parse(expires) : Date.now() + expiresIn * 1000;
    current = { token, endMs: Number.isNaN(endMs) ? Infinity : endMs };
  };
  const use = (token: Token | null): void => {
    current = null;
    if (!token) return;
    keep(token);
    onToken?.({ token: token.token, expires: token.expires });
  };
  if (first) keep(first);
  const signIn = async (give: () => Credentials | Promise<Credentials>): Promise<string> => {
    try {
      const answer = await login(await give());
      use(answer);
      return answer.token;
    } finally {
      pending = null;
    }
  };
  return {
    token: async () => {
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
