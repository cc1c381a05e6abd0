/** Calls for data that pilots store and pay for, used to send secrets. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { defineQuery } from '#api/define.ts';
import { canary, control, secrets, shapes } from '../support/canary.ts';
import { documentOf } from '../support/checklists.ts';
import { planDocument } from '../support/ofp.ts';

/** A query and its data; a plan and a log id of the caller are known. */
export type CanaryCall = [
  query: string,
  data: (known: { ofpId: string; logId: number }) => Record<string, unknown>,
];

export const callsOfPilots: readonly CanaryCall[] = [
  ['saveUserSettings', () => ({ defaultUnit: 'METRIC' })],
  ['updateProfile', () => ({ rank: 'FO', pin: '4711' })],
  ['exportMyData', () => ({})],
  ['deleteAccount', () => ({ password: canary(), confirmationToken: canary() })],
  ['changePassword', () => ({ oldPassword: canary(), newPassword: canary() })],
  ['changeEmail', () => ({ password: canary(), newEmail: 'fo@example.org' })],
  ['deviceConfirm', () => ({ userCode: canary() })],
  ['deleteProfilePicture', () => ({})],
  ['checklistSave', () => ({ name: 'Mine', checklist: documentOf() })],
  ['checklistList', () => ({})],
  ['checklistRate', () => ({ checklistId: 'default:1.3.6:a320-family', rating: 4 })],
  [
    'fleetSave',
    () => ({ registration: 'D-CNA', basedOnProfile: 'A320-214', profileData: { weight: { mslw: 64_000 } } }),
  ],
  ['fleetList', () => ({})],
  ['ofpImport', () => ({ source: 'json', document: planDocument() })],
  ['ofpList', () => ({})],
  ['ofpGet', ({ ofpId }) => ({ ofpId, view: 'summary' })],
  ['weatherRoute', ({ ofpId }) => ({ ofpId })],
  ['briefing', ({ ofpId }) => ({ ofpId })],
  ['ofpShare', ({ ofpId }) => ({ ofpId, sharedWithEmail: 'fo@example.org' })],
  ['ofpShareList', () => ({})],
  ['ofpShareAccept', () => ({ shareToken: canary() })],
  ['ofpShareAccept', () => ({ shareCode: canary() })],
  ['flightDataSave', ({ ofpId }) => ({ ofpId, payload: { block: 8_400 } })],
  ['flightDataGet', ({ ofpId }) => ({ ofpId })],
  ['flightDataHistory', ({ ofpId }) => ({ ofpId })],
  ['flightDataRestore', ({ ofpId }) => ({ ofpId, version: 1 })],
  ['performanceHistory', () => ({})],
  ['announcementsLatest', () => ({})],
  ['announcementsList', () => ({})],
  ['announcementAck', () => ({ id: 5 })],
  ['reportQuery', ({ logId }) => ({ logId, severity: 'HIGH', description: 'Too short.' })],
  ['submitFeedback', () => ({ description: 'Too short.', screenshotPng: 'AAAA' })],
  ['libraryFolderCreate', () => ({ name: `Charts ${randomBytes(6).toString('base64url')}` })],
  ['librarySync', () => ({})],
  ['getSubscriptions', () => ({})],
  ['subscriptionSignature', () => ({ action: 'user_subscriptions' })],
  ['subscriptionConfirmation', () => ({ action: 'pause_subscription', subscriptionId: 1 })],
  ['cancelSubscription', () => ({ subscriptionId: 1 })],
];

/** Fails with its input in the message, as a library might. */
export const failing = defineQuery({
  name: 'failing',
  spec: ['test'],
  summary: 'Fails.',
  auth: 'jwt',
  devKey: null,
  dialect: 'flat',
  errors: {},
  maxBodyBytes: 1_000_000,
  input: z.looseObject({}),
  output: z.strictObject({}),
  tx: 'read',
  handler: async ({ input, log }) => {
    log().info(
      { input, ...secrets(), url: `https://efb.example/?api_key=${canary()}` },
      `${control} ${shapes[0]?.()}`,
    );
    const cause = new Error(`password=${canary()} is wrong for ${shapes[1]?.()}`);
    throw Object.assign(new Error(`cannot handle ${JSON.stringify(input)}`, { cause }), {
      detail: `Failing row contains (1, ${shapes[2]?.()}, ${shapes[5]?.()}).`,
      request: { headers: secrets() },
    });
  },
});
