import { z } from 'zod';
import { signedActions } from '#domain/subscriptions/actions.ts';
import { callSignature, issueTime } from '#store/auth/confirmations.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'subscriptionSignature',
  spec: ['4.8'],
  summary: 'The headers of a signed action, for a client without the safety code; valid for 5 minutes.',
  devKey: { subscription: 'READ' },
  errors: { INVALID_FIELD: 400 },
  input: z.strictObject({ action: z.enum(signedActions, 'INVALID_FIELD') }),
  output: z.strictObject({ apiKey: z.string(), timestamp: z.string(), signature: z.string() }),
  example: { action: 'user_subscriptions' },
  handler: async ({ config, caller, input, now }) => {
    const timestamp = String(Math.floor(issueTime(now, caller).getTime() / 1_000));
    const { userId } = caller;
    const apiKey = caller.apiKey();
    const call = { userId, apiKey, timestamp, action: input.action };
    return { apiKey, timestamp, signature: callSignature(config.SAFETY_CODE[0] ?? '', call) };
  },
});
