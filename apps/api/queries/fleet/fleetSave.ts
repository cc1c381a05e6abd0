import { z } from 'zod';
import {
  basedOnField,
  maybeSwitchField,
  profileDataField,
  registrationField,
  shortTextField,
} from '#domain/fleet/fields.ts';
import { fileOf } from '#domain/fleet/row.ts';
import type { FleetProfile } from '#domain/fleet/types.ts';
import { wireTime } from '#domain/time.ts';
import { withWeightsInKilograms } from '#domain/fleet/weights.ts';
import { alreadyField, clientIdField } from '#domain/fields/client-id.ts';
import { ifDeletedField, recreated, recreatedField } from '#domain/fields/deletion.ts';
import { expectedVersionField, revisionSchema } from '#domain/fields/revision.ts';
import { vaFields } from '#domain/virtual-airlines/fields.ts';
import { fleetRepo } from '#store/postgres/fleet/fleet.ts';
import { defineQuery } from '../../define.ts';
import { fleetToChange, saveErrors } from './common/fleet.ts';
import { saveFleetProfile } from './common/save.ts';
import { storageQuotaOf } from '../users/common/users.ts';

const savedView = (profile: FleetProfile) => ({
  registration: profile.registration,
  file: fileOf(profile),
  variant: profile.variant,
  engines: profile.engines,
  engineTimeLimit: profile.engineTimeLimitS,
  revision: profile.revision,
  updatedAt: wireTime(profile.updatedAt),
});

export default defineQuery({
  name: 'fleetSave',
  spec: ['2.4', '4.3'],
  summary: 'Creates or replaces a fleet profile; it is checked as calculations would use it.',
  // Each save runs the engine for the profile and all that inherit from it.
  limits: [{ name: 'fleetSave', points: 600, perSeconds: 3_600, by: 'user' }],
  maxBodyBytes: 2_097_152,
  dialect: 'checklist',
  errors: saveErrors,
  input: z.strictObject({
    registration: registrationField(),
    renameFrom: registrationField()
      .nullish()
      .describe(
        'current registration of a profile to be renamed to `registration`; profiles based on it stay so',
      ),
    basedOnProfile: basedOnField(),
    profileData: profileDataField(),
    units: z
      .strictObject({ weight: z.enum(['kg', 'lb'], 'INVALID_FIELD').default('kg') }, 'INVALID_FIELD')
      .prefault({})
      .describe('unit of the section `weight` in `profileData`; weights are stored in kilograms'),
    clientId: clientIdField(),
    expectedVersion: expectedVersionField(),
    ifDeleted: ifDeletedField(
      'it is created again, but an `expectedVersion` of the deleted row gives VERSION_CONFLICT',
    ),
    ...vaFields(),
    flightSim: shortTextField(15, 'Simulator; null removes it; if absent, unchanged.'),
    addon: shortTextField(15, 'Add-on aircraft product; null removes it; if absent, unchanged.'),
    shareCommunity: maybeSwitchField('Whether it is listed in the community fleet; if absent, unchanged.'),
    variant: shortTextField(100, 'Variant; null: inherit from the parent; if absent, unchanged.'),
    engines: shortTextField(100, 'Engines; null: inherit from the parent; if absent, unchanged.'),
    engineTimeLimit: z
      .int('INVALID_FIELD')
      .min(0, 'INVALID_FIELD')
      .max(86_400, 'INVALID_FIELD')
      .nullish()
      .describe('Seconds; null: inherit from the parent; if absent, unchanged.'),
  }),
  output: z.strictObject({
    registration: z.string(),
    file: z.string(),
    variant: z.string().nullable(),
    engines: z.string().nullable(),
    engineTimeLimit: z.int().nullable(),
    revision: revisionSchema,
    updatedAt: z.string(),
    saved: z.literal(true),
    ...recreatedField,
    ...alreadyField,
  }),
  // The cache is cleared after the commit.
  tx: 'manual',
  example: {
    registration: 'D-AIZA',
    basedOnProfile: 'A320-214',
    profileData: { weight: { mslw: 64500 } },
    flightSim: 'MSFS',
    shareCommunity: true,
  },
  creates: {
    kind: 'fleet',
    edits: ['renameFrom'],
    again: async ({ db, rowId }) => {
      const profile = await fleetRepo(db).byId(Number(rowId));
      return profile && { ...savedView(profile), saved: true as const };
    },
  },
  handler: async (ctx) => {
    const { input, caller } = ctx;
    const { owner, permit } = await fleetToChange(ctx, input);
    const quota = 'userId' in owner ? storageQuotaOf(caller) : null;
    const { profileData, units } = input;
    const saved = await saveFleetProfile({ ...ctx, permit, quota }, owner, {
      ...input,
      profileData: units.weight === 'lb' ? withWeightsInKilograms(profileData) : profileData,
      isShared: input.shareCommunity,
      engineTimeLimitS: input.engineTimeLimit,
    });
    const { engineTimeLimitS, deletion, ...rest } = saved;
    return { ...rest, engineTimeLimit: engineTimeLimitS, saved: true as const, ...recreated(deletion) };
  },
});
