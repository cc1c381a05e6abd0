import { z } from 'zod';
import { wireTime } from '#domain/time.ts';
import { pictureSlots } from '#domain/users/pictures.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';
import { personalDataRepo } from '#data/postgres/users/personal-data.ts';
import { defineQuery } from '../../define.ts';
import { withProfileData } from '../../fleet/export.ts';

const keptAfterDeletion = [
  'Payments without the person: product, gateway, its reference, price and period.',
  'Calls in the request log, redacted: for 3 days, calculations for 30 days.',
  'The number of calculations by day under a keyed hash of the email address, until they are 30 days old: an account that is registered with the address again goes on with the same allowance.',
  'Backups of the database, for as long as the operator keeps them.',
] as const;

const rowSchema = z.record(z.string(), z.unknown());
const pictureSchema = z.string().nullable().describe('JPEG in base64; null when the user has none.');

export default defineQuery({
  name: 'exportMyData',
  spec: ['4.6'],
  summary: 'Everything that is stored of the user, in one document. Pictures are base64.',
  auth: 'jwt',
  devKey: { userInfo: 'FULL' },
  limits: [{ name: 'exportMyData', points: 5, perSeconds: 3600, by: 'user' }],
  dialect: 'flat',
  errors: { ACCESS_DENIED: 403, INVALID_DEV_KEY: 401 },
  input: z.object({}),
  output: z.strictObject({
    exportedAt: z.string(),
    account: rowSchema,
    pictures: z.strictObject({ profile: pictureSchema, alias: pictureSchema }),
    records: z
      .record(z.string(), z.array(rowSchema))
      .describe(
        'By table. Each fleet_profile has its JSON as profile_data; null: fleetGet returns it. former_usage: calculations of an earlier account with the same address.',
      ),
    keptAfterDeletion: z.array(z.string()).describe('What remains of an account that is deleted.'),
  }),
  tx: 'read',
  example: {},
  handler: async ({ db, caller, storage, now }) => {
    const personal = personalDataRepo(db);
    const account = await personal.account(caller.userId);
    const pictureOf = async (slot: PictureSlot): Promise<[PictureSlot, string | null]> => {
      const key = account[`${slot}_picture`];
      const bytes = typeof key === 'string' ? await storage.get(key) : null;
      return [slot, bytes && Buffer.from(bytes).toString('base64')];
    };
    const records = await personal.records(caller.userId, caller.email);
    const pictures = Object.fromEntries(await Promise.all(pictureSlots.map(pictureOf)));
    return {
      exportedAt: wireTime(now),
      account,
      pictures: { profile: pictures['profile'] ?? null, alias: pictures['alias'] ?? null },
      keptAfterDeletion: [...keptAfterDeletion],
      records: { ...records, fleet_profile: await withProfileData(storage, records['fleet_profile'] ?? []) },
    };
  },
});
