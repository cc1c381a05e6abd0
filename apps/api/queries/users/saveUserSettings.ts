import { z } from 'zod';
import {
  changedFields,
  mergePreferences,
  preferencesChangeSchema,
} from '#domain/users/preferences-change.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { userWrites } from '#data/postgres/users/users.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'saveUserSettings',
  aliases: ['saveUserSettingsMobile'],
  spec: ['2.7', '4.6', '7'],
  summary:
    'Changes the given preferences; all others remain. Unknown keys are ignored, and named in `ignored`.',
  auth: 'jwt',
  devKey: null,
  dialect: 'settings',
  unknownKeys: 'ignored',
  errors: {
    SETTINGS_LOCKED: { status: 403, message: 'Your preferences are locked by an administrator.' },
  },
  input: preferencesChangeSchema,
  output: z.strictObject({ fieldsUpdated: z.array(z.string()), ...ignoredField }),
  tx: 'write',
  example: { defaultUnit: 'METRIC', efb: { modules: { tools: false } } },
  handler: async ({ db, caller, caches, input, fail }) => {
    const users = userWrites(db);
    const { preferences, settingsLocked } = await users.lockPreferences(caller.userId);
    if (settingsLocked) throw fail('SETTINGS_LOCKED');
    const fieldsUpdated = changedFields(input);
    if (fieldsUpdated.length > 0) {
      await users.setPreferences(caller.userId, mergePreferences(preferences, input));
      // Immediately in this process; other processes are notified of the commit.
      db.onCommit(() => caches.profiles.drop(caller.userId));
    }
    return { fieldsUpdated };
  },
});
