import { z } from 'zod';
import { rotateApiKey } from '#commands/users/credentials.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'rotateApiKey',
  spec: ['4.6'],
  summary: "Replaces the user's API key; the previous key and its signatures are refused from then on.",
  devKey: { userInfo: 'FULL' },
  limits: [{ name: 'rotateApiKey', points: 10, perSeconds: 3_600, by: 'user' }],
  output: z.strictObject({ apiKey: z.string() }),
  tx: 'write',
  handler: ({ db, caller, config }) => rotateApiKey(db, { config }, caller),
});
