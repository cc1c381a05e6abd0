import { z } from 'zod';
import {
  changedFields,
  mergePreferences,
  preferencesChangeSchema,
} from '#domain/users/preferences-change.ts';
import { expectedVersionField, revisionSchema } from '#domain/fields/revision.ts';
import { ignoredField } from '#domain/fields/unknown-keys.ts';
import { completePreferences, userPreferencesSchema } from '#domain/users/preferences.ts';
import { userWrites } from '#store/postgres/users/users.ts';
import { defineQuery } from '../../define.ts';

export default defineQuery({
  name: 'saveUserSettings',
  aliases: ['saveUserSettingsMobile'],
  spec: ['2.7', '4.6', '7'],
  summary:
    'Changes the given preferences and keeps all others. Unknown keys are ignored and listed in `ignored`.',
  dialect: 'settings',
  errors: {
    VERSION_CONFLICT: {
      status: 409,
      message: 'Other preferences are stored. Take them over, or save again with their revision.',
      extra: z.strictObject({ current: userPreferencesSchema, revision: revisionSchema }),
    },
    SETTINGS_LOCKED: { status: 403, message: 'Your preferences are locked by an administrator.' },
  },
  input: preferencesChangeSchema.extend({ expectedVersion: expectedVersionField() }),
  output: z.strictObject({
    fieldsUpdated: z.array(z.string()),
    revision: revisionSchema,
    ...ignoredField,
  }),
  tx: 'write',
  example: { defaultUnit: 'METRIC', efb: { modules: { tools: false } } },
  handler: async ({ db, caller, input, fail }) => {
    const users = userWrites(db);
    const { expectedVersion, ...change } = input;
    const { preferences, settingsLocked, revision } = await users.lockPreferences(caller.userId);
    if (settingsLocked) throw fail('SETTINGS_LOCKED');
    if (expectedVersion !== undefined && expectedVersion !== revision)
      throw fail('VERSION_CONFLICT', {
        extra: { current: completePreferences(preferences, settingsLocked), revision },
      });
    const fieldsUpdated = changedFields(change);
    if (fieldsUpdated.length === 0) return { fieldsUpdated, revision };
    const merged = mergePreferences(preferences, change);
    return { fieldsUpdated, revision: await users.setPreferences(caller.userId, merged) };
  },
});
