import { headerOf } from '../call.ts';
import type { Call } from '../call.ts';

/** The token in the value of a header; undefined for another form. */
export const bearerOf = (header: string): string | undefined => /^Bearer ([\w.~+/-]+=*)$/i.exec(header)?.[1];

/**
 * Checks signature and expiry of a bearer token, from the headers alone: this determines how large a body may
 * be and whose counter the call uses. Nothing is looked up or refused yet.
 */
export const identify = async (call: Call): Promise<void> => {
  const header = headerOf(call, 'authorization');
  if (header === undefined || header === '') {
    call.tokenProblem = 'missing';
    return;
  }
  const token = bearerOf(header);
  const checked = token === undefined ? null : await call.tools.tokens.verify(token);
  call.claims = checked?.claims ?? null;
  call.tokenProblem = call.claims ? null : (checked?.problem ?? 'malformed');
};
