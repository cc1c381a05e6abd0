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
  let current: Token | null = first;
  let pending: Promise<Token> | null = null;
  const use = (token: Token | null): void => {
    current = token;
    if (token) onToken?.(token);
  };
  const isFresh = ({ expires }: Token): boolean => {
    const end = Date.parse(expires);
    return Number.isNaN(end) || end - Date.now() > marginMs;
  };
  const signIn = async (give: () => Credentials | Promise<Credentials>): Promise<Token> => {
    try {
      const token = await login(await give());
      use(token);
      return token;
    } finally {
      pending = null;
    }
  };
  return {
    token: async () => {
      if (current && (isFresh(current) || !credentials)) return current.token;
      if (!credentials) return null;
      pending ??= signIn(credentials);
      return (await pending).token;
    },
    renew: (refused) => {
      if (!credentials) return false;
      if (current?.token === refused) current = null;
      return true;
    },
    use,
  };
};
