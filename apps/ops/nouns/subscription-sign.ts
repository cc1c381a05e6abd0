/** `subscription sign`: the headers and the token of a signed action, for tests. */
import { z } from 'zod';
import { changeActions, signedActions } from '#domain/subscriptions/actions.ts';
import { openApiKey } from '#data/auth/api-keys.ts';
import { callSignature, confirmationToken, issueTime } from '#data/auth/confirmations.ts';
import { identityRepo } from '#data/postgres/users/identities.ts';
import { OpsError, verb } from '../command.ts';
import { findUser } from '#operator/find.ts';
import { email, maybeInteger } from '#operator/flags.ts';

export const signVerb = verb({
  summary: 'Prints the headers of a signed action of a user, and the confirmation token if it needs one.',
  flags: {
    email: email(),
    action: {
      schema: z.enum(signedActions, `must be one of ${signedActions.join(', ')}`),
      text: 'Action of the signed endpoint.',
    },
    id: maybeInteger('Id of the subscription that the token is for.'),
  },
  run: async ({ postgres, clock, config }, { email: address, action, id }) => {
    const { id: userId } = await findUser(postgres.db, address);
    const identity = await identityRepo(postgres.db).byUserId(userId);
    if (!identity) throw new OpsError('NOT_FOUND', `There is no user ${address}.`);
    const now = issueTime(clock.now(), identity);
    const timestamp = String(Math.floor(now.getTime() / 1_000));
    const apiKey = openApiKey(identity.apiKeySealed, config.ENCRYPTION_KEYS);
    if (apiKey === null)
      throw new OpsError('NO_KEY', 'The API key of this user opens with none of ENCRYPTION_KEYS.');
    const [safetyCode = ''] = config.SAFETY_CODE;
    const headers = {
      'X-API-Key': apiKey,
      'X-Timestamp': timestamp,
      'X-Signature': callSignature(safetyCode, { userId, apiKey, timestamp, action }),
    };
    const needsToken = (changeActions as readonly string[]).includes(action);
    const token = needsToken
      ? confirmationToken(safetyCode, { action, subscriptionId: id ?? null, userId }, now)
      : null;
    return { data: { ...headers, confirmation_token: token } };
  },
});
