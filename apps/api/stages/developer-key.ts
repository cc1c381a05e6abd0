import { looksLikeDeveloperKey } from '#platform/developer-keys.ts';
import type { DeveloperKey } from '#domain/users/types.ts';
import { headerOf, isRecord } from '../call.ts';
import type { Call, Stage } from '../call.ts';
import type { KeyNeed } from '../define.ts';
import { declaredError } from '../errors.ts';
import type { Credentials } from '../services/identities.ts';
import type { ErrorTable } from '../errors.ts';

const maxLength = 200;

/** Fields of the body that may contain the key, in this order (G-04). */
export const keyFields = ['dev_key', 'devKey'] as const;

/** The key that the call presents, in the order of G-04; `X-Dev-Key` comes before the body. */
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

/** Whose token and which key the call presents, read once. */
export const credentialsOf = (call: Call): Promise<Credentials> => {
  const presented = presentedKey(call);
  const key = isPossible(presented) ? presented : null;
  call.credentials ??=
    call.claims || key !== null
      ? call.tools.identities.of({ claims: call.claims, key })
      : Promise.resolve({ caller: null, tokenKey: null, key: null });
  return call.credentials;
};

/** The key for which the user's token was issued; a key that no longer exists or is revoked ends its tokens. */
const keyOfToken = (
  { caller, claims }: Call,
  { tokenKey }: Credentials,
  errors: ErrorTable,
): DeveloperKey | null => {
  if (!caller || claims === null || claims.developerKeyId === null) return null;
  if (tokenKey) return tokenKey;
  // A message declared by an operation is specified word for word.
  const hasOwnMessage = typeof errors['INVALID_DEV_KEY'] === 'object';
  const message = 'The developer key for which this token was issued has been revoked.';
  throw declaredError(errors, 'INVALID_DEV_KEY', hasOwnMessage ? {} : { message });
};

const otherHeaders = ['X-Api-Key', 'X-Developer-Key', 'X-DevKey', 'Dev-Key', 'Api-Key'];

/** What was sent as a key and is none. */
const wrongKeyHint = (presented: unknown): string | null => {
  if (typeof presented !== 'string' || looksLikeDeveloperKey(presented)) return null;
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(presented)
    ? 'this is the token of a user; it belongs into the header Authorization'
    : 'a developer key begins with dk_';
};

/** How a key is sent, for a call without one; some messages say so themselves. */
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
 * Finds the developer key: the presented one, which is checked even where none is needed, else the one for which the
 * user's token was issued. Throws INVALID_DEV_KEY for an invalid or missing key and for the token of a revoked one,
 * ACCESS_DENIED for one without the permission, and SUBSCRIPTION_FULL_REQUIRED for one of the lower tier.
 */
export const checkDeveloperKey: Stage = async ({ kind, auth, devKey, isKeyInCall, errors }, call) => {
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
  if (tier === 'FULL' && call.key.subscription === 'READ')
    throw declaredError(errors, 'SUBSCRIPTION_FULL_REQUIRED');
  if (!allows(call.key, devKey)) throw declaredError(errors, 'ACCESS_DENIED');
};
