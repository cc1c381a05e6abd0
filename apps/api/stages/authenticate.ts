import { looksLikeDeveloperKey } from '#platform/developer-keys.ts';
import type { Caller } from '#domain/users/types.ts';
import { fieldOf, headerOf, isRecord } from '../call.ts';
import type { Stage, Call, TokenProblem } from '../call.ts';
import type { Auth } from '../define.ts';
import { declaredError } from '../errors.ts';
import type { Registered } from '../registry.ts';
import { credentialsOf } from './developer-key.ts';
import { signedCaller } from './signed.ts';

const reasons: Readonly<Record<Exclude<TokenProblem, 'missing'>, string>> = {
  malformed: 'the token is not valid',
  expired: 'the token has expired',
  revoked: 'the token has been revoked',
};

/** The token in the value of a header; undefined for another form. */
export const bearerOf = (header: string): string | undefined => /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1];

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

/** The user of the token, if its session goes on and its generation is still current; a new password raises it (G-03). */
export const callerOfToken = async (call: Call): Promise<Caller | null> => {
  if (!call.claims) return null;
  const { caller } = await credentialsOf(call);
  if (caller) return caller;
  call.claims = null;
  call.tokenProblem = 'revoked';
  return null;
};

const callerOf = async (auth: Auth, call: Call): Promise<Caller | null> => {
  if (auth === 'jwt' || auth === 'none') return callerOfToken(call);
  if (auth === 'signed') return signedCaller(call);
  if ('verify' in auth) return auth.verify(call);
  const apiKey = fieldOf(call, auth.apiKey);
  return typeof apiKey === 'string' && apiKey !== '' ? call.tools.identities.byApiKey(apiKey) : null;
};

const needsUser = (auth: Auth): boolean =>
  auth === 'jwt' || auth === 'signed' || (typeof auth === 'object' && 'apiKey' in auth);

/** Throws ACCESS_DENIED for a visitor without an account where the operation is not declared for them. */
const checkGuest = (
  { isForGuests, errors }: Pick<Registered, 'isForGuests' | 'errors'>,
  { claims }: Call,
) => {
  if (claims?.isGuest && !isForGuests)
    throw declaredError(errors, 'ACCESS_DENIED', { message: 'Visitors without an account may not do this.' });
};

const bearerForm = 'the form is "Authorization: Bearer <token>"';

/** Where else a token is found that the call has not in its header. */
const missingHint = (call: Call): string => {
  const header = ['x-access-token', 'x-auth-token', 'token'].find(
    (name) => headerOf(call, name) !== undefined,
  );
  if (header !== undefined) return `${header} is not read; ${bearerForm}`;
  const { token, data } = call.body.fields;
  const isInBody = token !== undefined || (isRecord(data) && data['token'] !== undefined);
  return isInBody
    ? `the token belongs into the header; ${bearerForm}`
    : `${bearerForm}, with the token that login answers`;
};

/** What a header without a valid bearer token seems to be. */
const headerHint = (call: Call): string | null => {
  const header = headerOf(call, 'authorization') ?? '';
  if (/^Bearer +(?:Bearer\b|["'<{])/i.test(header)) return `${bearerForm}, the token once and without quotes`;
  if (/^Bearer +(?:undefined|null|NaN|\[object Object\])$/i.test(header))
    return 'the token is the text of an empty variable; send the token that login answers';
  if (looksLikeDeveloperKey(header.replace(/^\S+ +/, '')))
    return 'this is a developer key; send it as X-Dev-Key, and as "Authorization: Bearer …" the token that login answers';
  return header === '' || /^Bearer /i.test(header) ? null : bearerForm;
};

/** Finds the caller. Throws AUTH_REQUIRED, with the problem of a token that was sent, or ACCOUNT_DISABLED. */
export const authenticate: Stage = async (operation, call) => {
  const { auth, errors } = operation;
  checkGuest(operation, call);
  call.caller = await callerOf(auth, call);
  if (!needsUser(auth)) return;
  if (!call.caller) {
    const problem = auth === 'jwt' ? call.tokenProblem : 'missing';
    if (problem === null || problem === 'missing')
      throw declaredError(errors, 'AUTH_REQUIRED', {
        hint: auth === 'jwt' ? missingHint(call) : null,
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    // A message declared by an operation is specified word for word.
    const hasOwnMessage = typeof errors['AUTH_REQUIRED'] === 'object';
    throw declaredError(errors, 'AUTH_REQUIRED', {
      ...(hasOwnMessage ? {} : { message: `Authentication required: ${reasons[problem]}.` }),
      hint: headerHint(call),
      headers: {
        'WWW-Authenticate': `Bearer error="invalid_token", error_description="${reasons[problem]}"`,
      },
    });
  }
  if (call.caller.isDisabled) throw declaredError(errors, 'ACCOUNT_DISABLED');
};
