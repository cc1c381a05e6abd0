/** Fleet profiles in answers (section 2.4). */
import { z } from 'zod';
import { revisionSchema } from '../fields/revision.ts';
import { wireTime } from '../time.ts';
import { fleetFileName } from './file-name.ts';
import { ownerOf } from './types.ts';
import type { FleetProfile } from './types.ts';

const identityShape = {
  id: z.int(),
  user_id: z.int().nullable(),
  registration: z.string(),
  basedOnProfile: z.string(),
  file: z.string(),
  isBasedOnUserProfile: z.boolean(),
  revision: revisionSchema,
  updatedAt: z.string(),
};

/** `fleetRow` in fleetGet. */
export const fleetIdentitySchema = z.strictObject(identityShape);

export const fleetRowSchema = z.strictObject({
  ...identityShape,
  api_key: z.string().nullable().describe("the caller's, in their own rows only"),
  virtual_airline: z.string().nullable(),
  flight_sim: z.string().nullable(),
  addon: z.string().nullable(),
  variant: z.string().nullable(),
  engines: z.string().nullable(),
  engine_time_limit: z.int().nullable().describe('seconds'),
  share_community: z.boolean(),
  recommended: z.boolean(),
});

export const fileOf = (profile: FleetProfile): string =>
  fleetFileName(ownerOf(profile), profile.registration);

export const fleetIdentity = (profile: FleetProfile): z.output<typeof fleetIdentitySchema> => ({
  id: profile.id,
  user_id: profile.userId,
  registration: profile.registration,
  basedOnProfile: profile.basedOnProfile,
  file: fileOf(profile),
  isBasedOnUserProfile: profile.baseId !== null,
  revision: profile.revision,
  updatedAt: wireTime(profile.updatedAt),
});

export const fleetRow = (profile: FleetProfile, apiKey: string | null): z.output<typeof fleetRowSchema> => ({
  ...fleetIdentity(profile),
  api_key: apiKey,
  virtual_airline: profile.vaName,
  flight_sim: profile.flightSim,
  addon: profile.addon,
  variant: profile.variant,
  engines: profile.engines,
  engine_time_limit: profile.engineTimeLimitS,
  share_community: profile.isShared,
  recommended: profile.isRecommended,
});
