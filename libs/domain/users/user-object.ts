/**
 * The user object in login, refreshUserData and updateProfile, limited to what the developer key may see (G-16, G-18).
 */
import { z } from 'zod';
import { revisionSchema } from '../fields/revision.ts';
import { subscriptionSummary, subscriptionSummarySchema } from '../subscriptions/summary.ts';
import { wireTime, wireTimeOrNull } from '../time.ts';
import { ranks } from './fields.ts';
import type { Rank } from './fields.ts';
import { pictureUrl } from './pictures.ts';
import { completePreferences, userPreferencesSchema } from './preferences.ts';
import type { Caller, UserInfoLevel } from './types.ts';
import { vaView, vaViewShape } from '../virtual-airlines/virtual-airline.ts';
import type { VirtualAirline } from '../virtual-airlines/virtual-airline.ts';

/** A stored account without its secrets. */
export interface UserProfile {
  firstname: string;
  lastname: string;
  crewcode: string;
  rank: Rank;
  chatId: string | null;
  streamingActive: boolean;
  streamingAlias: string | null;
  preferences: unknown;
  settingsLocked: boolean;
  /** Raised by each change of the profile. */
  revision: number;
  preferencesRevision: number;
  profilePicture: string | null;
  aliasPicture: string | null;
  /** The user has opened a link mailed to the address. */
  isEmailVerified: boolean;
  /** Identifies the account in app store purchases. */
  storeAccountToken: string;
  previousLoginAt: Date | null;
  lastLoginAt: Date | null;
  createdAt: Date;
}

export const calculationCountsSchema = z.strictObject({
  takeoff: z.int(),
  landingDispatch: z.int(),
  landingEnroute: z.int(),
  other: z.int(),
  total: z.int(),
});
export type CalculationCounts = z.output<typeof calculationCountsSchema>;

/** Activity since the previous login. */
export interface Activity {
  calculations: CalculationCounts;
  /** Checklists that other users have shared with the community. */
  newCommunityChecklists: number;
  /** Plan shares received or accepted that can still be used. */
  newShares: number;
}

const simple = {
  id: z.int(),
  firstname: z.string(),
  lastname: z.string(),
  rank: z.enum(ranks),
  ranks: z.array(z.enum(ranks)),
  profilePicture: z.url(),
  aliasPicture: z.url(),
  ...vaViewShape,
  virtual_airline: z.string().nullable(),
  vaAdmin: z.strictObject({ scope: z.enum(['VA_ONLY', 'FULL']), vaName: z.string().nullable() }).nullable(),
  revision: revisionSchema,
};
const medium = {
  email: z.string(),
  emailVerified: z.boolean(),
  crewcode: z.string(),
  chatID: z.string().nullable(),
  streamingActive: z.boolean(),
  streamingAlias: z.string().nullable(),
  subscription: subscriptionSummarySchema,
  storeAccountToken: z.uuid(),
  userPreferences: userPreferencesSchema,
  preferencesRevision: revisionSchema,
  createdAt: z.string(),
  lastLogin: z.string().nullable(),
};
const full = {
  apiKey: z.string(),
  userStatisticsSinceLastLogin: z.strictObject({
    since: z.string(),
    calculations: calculationCountsSchema,
    newCommunityChecklists: z.int(),
    newShares: z.int(),
  }),
};

/** All fields for a FULL key; MEDIUM lacks the FULL ones, any other key has only the SIMPLE ones. */
export const userObjectSchema = z
  .strictObject({
    ...simple,
    ...z.strictObject(medium).partial().shape,
    ...z.strictObject(full).partial().shape,
  })
  .describe(
    'SIMPLE keys see names, rank, pictures and airlines; MEDIUM keys also email address, crew code, preferences and subscription; FULL keys also statistics and the API key.',
  );

export type UserObject = z.output<typeof userObjectSchema>;

interface UserObjectParts {
  caller: Caller;
  profile: UserProfile;
  airlines: readonly VirtualAirline[];
  /** Since `activitySince`; null for levels that do not show it. */
  activity: Activity | null;
  level: UserInfoLevel | null;
  baseUrl: string;
  now: Date;
}

/** Start of `userStatisticsSinceLastLogin`: the previous login, or the creation of the account. */
export const activitySince = (profile: UserProfile): Date => profile.previousLoginAt ?? profile.createdAt;

export const userObject = (parts: UserObjectParts): UserObject => {
  const { caller, profile, airlines, activity, level, baseUrl, now } = parts;
  const { vaAdmin } = caller;
  const simpleFields = {
    id: caller.userId,
    firstname: profile.firstname,
    lastname: profile.lastname,
    rank: profile.rank,
    ranks: [...ranks],
    profilePicture: pictureUrl(baseUrl, profile.profilePicture, 'profile'),
    aliasPicture: pictureUrl(baseUrl, profile.aliasPicture, 'alias'),
    ...vaView(airlines, caller.vaIds, caller.activeVaId, baseUrl),
    vaAdmin: vaAdmin && {
      scope: vaAdmin.scope,
      vaName: airlines.find(({ id }) => id === vaAdmin.vaId)?.name ?? null,
    },
    revision: profile.revision,
  };
  if (level !== 'MEDIUM' && level !== 'FULL') return simpleFields;
  const mediumFields = {
    ...simpleFields,
    email: caller.email,
    emailVerified: profile.isEmailVerified,
    crewcode: profile.crewcode,
    storeAccountToken: profile.storeAccountToken,
    chatID: profile.chatId,
    streamingActive: profile.streamingActive,
    streamingAlias: profile.streamingAlias,
    subscription: subscriptionSummary(caller.entitlement, now),
    userPreferences: completePreferences(profile.preferences, profile.settingsLocked),
    preferencesRevision: profile.preferencesRevision,
    createdAt: wireTime(profile.createdAt),
    lastLogin: wireTimeOrNull(profile.lastLoginAt),
  };
  if (level !== 'FULL' || !activity) return mediumFields;
  return {
    ...mediumFields,
    apiKey: caller.apiKey(),
    userStatisticsSinceLastLogin: {
      since: wireTime(activitySince(profile)),
      ...activity,
    },
  };
};
