import { z } from 'zod';
import { wireTime } from '#domain/time.ts';
import { pictureSlots } from '#domain/users/pictures.ts';
import type { PictureSlot } from '#domain/users/pictures.ts';
import { exportedTables, personalDataRepo, personalRecords } from '#store/postgres/users/personal-data.ts';
import { uploadFolder } from '#store/storage/pieces.ts';
import { defineQuery } from '../../define.ts';
import { objectOfLists, spooled } from '../../http/spooled.ts';
import { withProfileData } from '../fleet/common/fleet.ts';

const keptAfterDeletion = [
  'Payments without the person: product, gateway, its reference, price and period.',
  'Calls in the request log, redacted: for 3 days, calculations for 30 days.',
  'The number of calculations by day under a keyed hash of the email address, until they are 30 days old: an account that is registered with the address again goes on with the same allowance.',
  'Backups of the database, for as long as the operator keeps them.',
] as const;

const rowSchema = z.record(z.string(), z.unknown());
/** Rows by table, streamed as they are read. */
const recordsSchema = z
  .unknown()
  .meta({
    type: 'object',
    propertyNames: { type: 'string' },
    additionalProperties: {
      type: 'array',
      items: { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} },
    },
  })
  .describe(
    'Rows by table. `profile_data` of a fleet_profile is its JSON; null when only fleetGet returns it. `former_usage`: calculations of an earlier account with the same email address.',
  );
const pictureSchema = z.string().nullable().describe('JPEG in base64; null when the user has none.');

export default defineQuery({
  name: 'exportMyData',
  spec: ['4.6'],
  summary: 'Everything stored about the user in one document. Pictures are base64.',
  devKey: { userInfo: 'FULL' },
  limits: [{ name: 'exportMyData', points: 5, perSeconds: 3600, by: 'user' }],
  output: z.strictObject({
    exportedAt: z.string(),
    account: rowSchema,
    pictures: z.strictObject({ profile: pictureSchema, alias: pictureSchema }),
    records: recordsSchema,
    keptAfterDeletion: z.array(z.string()).describe('What is kept after the account has been deleted.'),
  }),
  handler: ({ snapshot, caller, storage, config, now }) =>
    snapshot(async (db) => {
      const account = await personalDataRepo(db).account(caller.userId);
      const pictureOf = async (slot: PictureSlot): Promise<[PictureSlot, string | null]> => {
        const key = account[`${slot}_picture`];
        const bytes = typeof key === 'string' ? await storage.get(key) : null;
        return [slot, bytes && Buffer.from(bytes).toString('base64')];
      };
      const pictures = Object.fromEntries(await Promise.all(pictureSlots.map(pictureOf)));
      const entriesOf = async function* entriesOf(table: string) {
        for await (const row of personalRecords(db, table, caller))
          yield table === 'fleet_profile' ? await withProfileData(storage, row) : row;
      };
      return {
        exportedAt: wireTime(now),
        account,
        pictures: { profile: pictures['profile'] ?? null, alias: pictures['alias'] ?? null },
        keptAfterDeletion: [...keptAfterDeletion],
        records: await spooled(uploadFolder(config), objectOfLists(exportedTables, entriesOf)),
      };
    }),
});
