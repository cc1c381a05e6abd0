/** Identifies the caller by token, API key or signature, and the developer key. */
import { noPermissions, permissionsText } from '#domain/developers/permissions.ts';
import type { Permissions } from '#domain/developers/permissions.ts';
import { looksLikeDeveloperKey } from '#platform/developer-keys.ts';
import type { DeveloperKey, Caller } from '#domain/users/types.ts';
import {
  callSignature,
  checkConfirmation,
  isSameText,
  timestampToleranceSeconds,
  confirmationWrites,
} from '#store/auth/confirmations.ts';
import { headerOf, fieldOf } from '../call.ts';
import type { Call, Stage, TokenProblem } from '../call.ts';
import type { KeyNeed, Auth } from '../define.ts';
import { declaredError, commonError, worded } from '../errors.ts';
import type { Credentials } from '../services/identities.ts';
import type { ErrorTable } from '../errors.ts';
import { isRecord } from '#domain/record.ts';

const maxLength = 200;

/** Fields of the body that may contain the key, in this order (G-04). */
export const keyFields = ['dev_key', 'devKey'] as const;

/** The developer key of the call, in the order of G-04, after the header `X-Dev-Key`. */
const presentedKey = (call: Call): unknown =>
  [headerOf(call, 'x-dev-key'), ...keyFields.map((name) => call.body.fields[name])].find(
    (value) => value !== undefined && value !== null && value !== '',
  );

const isPossible = (presented: unknown): presented is string =>
  typeof presented === 'string' && presented.length <= maxLength;

const userInfoRank = { SIMPLE: 1, MEDIUM: 2, FULL: 3 } as const;

const allows = (key: DeveloperKey, need: KeyNeed): boolean => {
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

/** The required permission and those the key has, named as on /developers. */
const lackOf = (need: KeyNeed, key: DeveloperKey): string => {
  const needed =
    typeof need === 'string'
      ? { [need]: true }
      : 'userInfo' in need && need.userInfo === 'any'
        ? { userInfo: 'SIMPLE' as const }
        : (need as Partial<Permissions>);
  const name = permissionsText({ ...noPermissions, ...needed });
  return `This query needs the permission ${name}; the key "${key.name}" has ${permissionsText(key) || 'none'}.`;
};

/** Looks up the call's token and developer key, once. */
const credentialsOf = (call: Call): Promise<Credentials> => {
  const presented = presentedKey(call);
  const key = isPossible(presented) ? presented : null;
  call.credentials ??=
    call.claims || key !== null
      ? call.tools.identities.of({ claims: call.claims, key })
      : Promise.resolve({ caller: null, tokenKey: null, key: null });
  return call.credentials;
};

/** The key that the token was issued for; a deleted or revoked key ends its tokens. */
const keyOfToken = (
  { caller, claims }: Call,
  { tokenKey }: Credentials,
  errors: ErrorTable,
): DeveloperKey | null => {
  if (!caller || claims === null || claims.developerKeyId === null) return null;
  if (tokenKey) return tokenKey;
  const message = 'The developer key for which this token was issued has been revoked.';
  throw declaredError(errors, 'INVALID_DEV_KEY', worded(errors, 'INVALID_DEV_KEY', message));
};

const otherHeaders = ['X-Api-Key', 'X-Developer-Key', 'X-DevKey', 'Dev-Key', 'Api-Key'];

/** What was sent in place of a key. */
const wrongKeyHint = (presented: unknown): string | null => {
  if (typeof presented !== 'string' || looksLikeDeveloperKey(presented)) return null;
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(presented)
    ? 'this is the token of a user; it belongs into the header Authorization'
    : 'a developer key begins with dk_';
};

/** How to send a key; omitted where the message already says it. */
const missingKeyHint = (call: Call, entry: ErrorTable[string] | undefined): string | null => {
  const other = otherHeaders.find((name) => headerOf(call, name.toLowerCase()) !== undefined);
  if (other !== undefined) return `${other} is not read; send the developer key as X-Dev-Key`;
  const { data } = call.body.fields;
  const inside = isRecord(data) ? keyFields.find((name) => data[name] !== undefined) : undefined;
  if (inside !== undefined) return `${inside} is not read inside data; send the developer key as X-Dev-Key`;
  const isSaid = typeof entry === 'object' && entry.message.includes('dev_key');
  return isSaid ? null : 'the call has no developer key; send it as X-Dev-Key';
};

/**
 * Finds the developer key: the one sent, which is checked even if none is required, else the one that the token was
 * issued for. Throws INVALID_DEV_KEY for an invalid or missing key and for a token of a revoked one, ACCESS_DENIED
 * without the permission, and SUBSCRIPTION_FULL_REQUIRED for a permission of the lower tier.
 */
const checkDeveloperKey: Stage = async ({ kind, auth, devKey, isKeyInCall, errors }, call) => {
  if (kind === 'webhook') return;
  const presented = presentedKey(call);
  const credentials = await credentialsOf(call);
  const ofToken = keyOfToken(call, credentials, errors);
  call.key = presented !== undefined ? credentials.key : isKeyInCall ? null : ofToken;
  if (presented !== undefined && !call.key)
    throw declaredError(errors, 'INVALID_DEV_KEY', { hint: wrongKeyHint(presented) });
  if (devKey === null) return;
  const tier = typeof devKey === 'object' && 'subscription' in devKey ? devKey.subscription : null;
  if (!call.key) {
    const missing = tier === null ? 'ACCESS_DENIED' : `SUBSCRIPTION_${tier}_REQUIRED`;
    const code = auth === 'none' ? 'INVALID_DEV_KEY' : missing;
    throw declaredError(errors, code, { hint: missingKeyHint(call, errors[code]) });
  }
  if (allows(call.key, devKey)) return;
  const code =
    tier === 'FULL' && call.key.subscription === 'READ' ? 'SUBSCRIPTION_FULL_REQUIRED' : 'ACCESS_DENIED';
  const lack = lackOf(devKey, call.key);
  // A message declared by an operation is specified word for word.
  throw declaredError(errors, code, typeof errors[code] === 'object' ? { hint: lack } : { message: lack });
};

const required = (call: Call, name: string): string => {
  const value = headerOf(call, name.toLowerCase());
  if (value === undefined || value === '') throw commonError('MISSING_HEADER', { field: name });
  return value;
};

/**
 * The user of a signed call (M-4.8.e2 to M-4.8.e7). Throws MISSING_HEADER, TIMESTAMP_OUT_OF_RANGE, INVALID_API_KEY and
 * INVALID_SIGNATURE.
 */
const signedCaller = async (call: Call): Promise<Caller> => {
  const apiKey = required(call, 'X-API-Key');
  const timestamp = required(call, 'X-Timestamp');
  const signature = required(call, 'X-Signature');
  const { clock, config, identities } = call.tools;
  const ageSeconds = /^\d{1,12}$/.test(timestamp)
    ? Math.floor(clock.now().getTime() / 1_000) - Number(timestamp)
    : Infinity;
  if (Math.abs(ageSeconds) > timestampToleranceSeconds) throw commonError('TIMESTAMP_OUT_OF_RANGE');
  const caller = apiKey.length <= 200 ? await identities.byApiKey(apiKey) : null;
  if (!caller) throw commonError('INVALID_API_KEY');
  const action = call.operation?.name ?? '';
  const signed = { userId: caller.userId, apiKey, timestamp, action };
  if (!config.SAFETY_CODE.some((code) => isSameText(signature, callSignature(code, signed))))
    throw commonError('INVALID_SIGNATURE');
  // Signed before the last change of the password.
  if (Number(timestamp) * 1_000 < caller.credentialsFrom.getTime())
    throw commonError('INVALID_SIGNATURE', { message: 'This was signed before the password was changed.' });
  return caller;
};

const subscriptionIdOf = ({ data }: Call): number | null =>
  isRecord(data) && typeof data['subscription_id'] === 'number' ? data['subscription_id'] : null;

/**
 * Verifies the confirmation token of a state-changing action and uses it up (M-4.8.k1 to M-4.8.k5), unless the action
 * is refused later. Of two concurrent calls with one token, one passes.
 */
export const confirm: Stage = async ({ changesState, name }, call) => {
  if (changesState !== true || !call.caller) return;
  const token = call.body.fields['confirmation_token'];
  if (typeof token !== 'string' || token === '') throw commonError('CONFIRMATION_REQUIRED');
  const { userId, credentialsFrom } = call.caller;
  const { single } = call;
  const { config, clock } = call.tools;
  const expected = { action: name, subscriptionId: subscriptionIdOf(call), userId, credentialsFrom };
  const checked = checkConfirmation(config.SAFETY_CODE, token, expected, clock.now());
  if (checked.problem !== null)
    throw commonError(checked.problem === 'expired' ? 'CONFIRMATION_EXPIRED' : 'CONFIRMATION_INVALID');
  const { tokenHash, issuedAt, expiresAt } = checked;
  call.confirmedAt = issuedAt;
  if (!(await single((tx) => confirmationWrites(tx).use(tokenHash, userId, expiresAt))))
    throw commonError('CONFIRMATION_USED');
  call.outcomeHandlers.push(async (succeeded) => {
    if (!succeeded) await single((tx) => confirmationWrites(tx).release(tokenHash));
  });
};

const reasons: Readonly<Record<Exclude<TokenProblem, 'missing'>, string>> = {
  malformed: 'the token is not valid',
  expired: 'the token has expired',
  revoked: 'the token has been revoked',
};

/** The bearer token in a header value; undefined for any other form. */
const bearerOf = (header: string): string | undefined => /^Bearer +([\w.~+/-]+=*)$/i.exec(header)?.[1];

/**
 * Verifies signature and expiry of the bearer token, from the headers alone: this decides how large a body may be and
 * which counter applies. Nothing is looked up or refused yet.
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

/**
 * The token's user, if the session is still open and the token's generation current; a new password raises the
 * generation (G-03).
 */
export const callerOfToken = async (call: Call): Promise<Caller | null> => {
  if (!call.claims) return null;
  // The call may have waited since its token was verified.
  const isExpired = call.claims.expiresAt <= call.tools.clock.now();
  const { caller } = await credentialsOf(call);
  if (caller && !isExpired) return caller;
  call.claims = null;
  call.tokenProblem = isExpired ? 'expired' : 'revoked';
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

/** Throws ACCESS_DENIED for a visitor without an account, except in operations declared for guests. */
const checkGuest: Stage = ({ isForGuests, errors }, { claims }) => {
  if (claims?.isGuest && !isForGuests)
    throw declaredError(errors, 'ACCESS_DENIED', { message: 'Visitors without an account may not do this.' });
};

const bearerForm = 'the form is "Authorization: Bearer <token>"';

/** Where the token was sent instead of the header. */
const missingHint = (call: Call): string => {
  const header = ['x-access-token', 'x-auth-token', 'token'].find(
    (name) => headerOf(call, name) !== undefined,
  );
  if (header !== undefined) return `${header} is not read; ${bearerForm}`;
  const { data, ...fields } = call.body.fields;
  const sent = { ...fields, ...(isRecord(data) ? data : {}) };
  const name = ['token', 'access_token', 'jwt'].find((each) => sent[each] !== undefined);
  return name !== undefined
    ? `${name} is read neither in the URL nor in the body; ${bearerForm}`
    : `${bearerForm}, with the token that login answers`;
};

/** What a header without a valid bearer token appears to contain. */
const headerHint = (call: Call): string | null => {
  const header = headerOf(call, 'authorization') ?? '';
  if (/^Bearer +(?:Bearer\b|["'<{])/i.test(header)) return `${bearerForm}, the token once and without quotes`;
  if (/^Bearer +(?:undefined|null|NaN|\[object Object\])$/i.test(header))
    return 'the token is the text of an empty variable; send the token that login answers';
  if (looksLikeDeveloperKey(header.replace(/^\S+ +/, '')))
    return 'this is a developer key; send it as X-Dev-Key, and as "Authorization: Bearer …" the token that login answers';
  return header === '' || /^Bearer /i.test(header) ? null : bearerForm;
};

/** Finds the caller. Throws AUTH_REQUIRED with the problem of the token, or ACCOUNT_DISABLED. */
export const authenticate: Stage = async (operation, call) => {
  const { auth, errors } = operation;
  await checkGuest(operation, call);
  call.caller = await callerOf(auth, call);
  if (!needsUser(auth)) return;
  if (!call.caller) {
    const problem = auth === 'jwt' ? call.tokenProblem : 'missing';
    if (problem === null || problem === 'missing')
      throw declaredError(errors, 'AUTH_REQUIRED', {
        hint: auth === 'jwt' ? missingHint(call) : null,
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    throw declaredError(errors, 'AUTH_REQUIRED', {
      ...worded(errors, 'AUTH_REQUIRED', `Authentication required: ${reasons[problem]}.`),
      hint: headerHint(call),
      headers: {
        'WWW-Authenticate': `Bearer error="invalid_token", error_description="${reasons[problem]}"`,
      },
    });
  }
  if (call.caller.isDisabled) throw declaredError(errors, 'ACCOUNT_DISABLED');
};

/** Throws SUBSCRIPTION_LEVEL_REQUIRED for a caller below the declared level. */
const checkLevel: Stage = ({ level = 0, errors }, call) => {
  if ((call.caller?.entitlement.level ?? 0) >= level) return;
  throw declaredError(errors, 'SUBSCRIPTION_LEVEL_REQUIRED', { extra: { requiredLevel: level } });
};

/** Looks up user and developer key and checks that they may make this call. */
export const checkCaller: Stage = async (operation, call) => {
  call.credentials = null;
  await authenticate(operation, call);
  await checkDeveloperKey(operation, call);
  await checkLevel(operation, call);
};

/** Checks the caller again after a wait. Throws if the call would be refused now. */
export const callerNow = async (call: Call): Promise<Caller | null> => {
  if (call.operation) await checkCaller(call.operation, call);
  return call.caller;
};
