/** Who may do what with the things of the owner. */
import { documentOf } from '../checklists.ts';
import { planText } from '../ofp.ts';
import { ids, newPlan, save, userOf, va } from './scene.ts';
import type { Fields, Principal } from './scene.ts';

export interface Row {
  query: string;
  /** Whose thing it is and what; for the title. */
  what: string;
  data: () => Fields;
  allowed: readonly Principal[];
  /** Code of all others, unless `except` has another. */
  refused: string;
  except?: Partial<Record<Principal, string>>;
  /** Recreates what an allowed caller removed. */
  restore?: () => Promise<unknown>;
}

const sharers: readonly Principal[] = ['owner', 'view share', 'edit share'];
const onlyOwner: readonly Principal[] = ['owner'];
const airlineReaders: readonly Principal[] = ['owner', 'VA member'];
const ofOfp = () => ({ ofpId: ids['ofp'] });
const recipientsMayNot = {
  'view share': 'INSUFFICIENT_PERMISSION',
  'edit share': 'INSUFFICIENT_PERMISSION',
} as const;
const theirs = { refused: 'OFP_NOT_FOUND' } as const;

const plan: readonly Row[] = [
  { query: 'ofpGet', what: 'a plan', data: ofOfp, allowed: sharers, ...theirs },
  { query: 'weatherRoute', what: 'a plan', data: ofOfp, allowed: sharers, ...theirs },
  {
    query: 'briefing',
    what: 'a plan',
    data: () => ({ ...ofOfp(), performance: false }),
    allowed: sharers,
    ...theirs,
  },
  { query: 'weatherRouteProfile', what: 'a plan', data: ofOfp, allowed: sharers, ...theirs },
  { query: 'flightDataList', what: 'a plan', data: ofOfp, allowed: sharers, ...theirs },
  {
    query: 'flightDataGet',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf' }),
    allowed: sharers,
    ...theirs,
  },
  {
    query: 'flightDataHistory',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf' }),
    allowed: sharers,
    ...theirs,
  },
  {
    query: 'flightDataSave',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf', payload: { b: 2 } }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...theirs,
  },
  {
    query: 'flightDataRestore',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf', version: 1 }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...theirs,
  },
  {
    query: 'flightDataDelete',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf' }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...theirs,
    restore: save,
  },
  { query: 'ofpShare', what: 'a plan', data: ofOfp, allowed: onlyOwner, ...theirs },
  {
    query: 'ofpImport',
    what: 'a plan to refresh',
    data: () => ({
      ...ofOfp(),
      source: 'json',
      document: JSON.parse(planText({ requestId: '1' })) as Fields,
    }),
    allowed: onlyOwner,
    except: recipientsMayNot,
    ...theirs,
  },
  {
    query: 'ofpShareAccept',
    what: 'a share that another pilot has accepted',
    data: () => ({ shareToken: ids['token of edit share'] }),
    allowed: ['edit share'],
    refused: 'SHARE_FORBIDDEN',
    except: { owner: 'INVALID_SHARE_TARGET' },
  },
  {
    query: 'ofpShareAccept',
    what: 'the id of a share that another pilot has accepted',
    data: () => ({ id: ids['editShare'] }),
    allowed: ['edit share'],
    refused: 'SHARE_NOT_FOUND',
  },
  {
    query: 'ofpShareRevoke',
    what: 'the share of the edit recipient',
    data: () => ({ id: ids['editShare'] }),
    allowed: ['owner', 'edit share'],
    refused: 'SHARE_FORBIDDEN',
  },
  {
    query: 'ofpDelete',
    what: 'a plan',
    data: ofOfp,
    allowed: onlyOwner,
    // The edit share was revoked above.
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...theirs,
    restore: newPlan,
  },
];

const ofChecklist = () => ({ checklistId: ids['checklist'] });
const ofVaChecklist = () => ({ checklistId: ids['vaChecklist'] });
const notAdmin = { 'admin of another VA': 'NOT_FOUND' } as const;
const checklists: readonly Row[] = [
  {
    query: 'checklistGet',
    what: 'a private one',
    data: ofChecklist,
    allowed: onlyOwner,
    refused: 'FORBIDDEN',
  },
  {
    query: 'checklistGet',
    what: 'one of an airline',
    data: ofVaChecklist,
    allowed: airlineReaders,
    refused: 'FORBIDDEN',
  },
  {
    query: 'checklistSave',
    what: 'a private one',
    data: () => ({ ...ofChecklist(), name: 'x', checklist: documentOf() }),
    allowed: onlyOwner,
    refused: 'NOT_FOUND',
  },
  {
    query: 'checklistSave',
    what: 'one of an airline',
    data: () => ({ ...ofVaChecklist(), name: 'x', checklist: documentOf(), isVA: true }),
    allowed: onlyOwner,
    refused: 'FORBIDDEN',
    except: notAdmin,
  },
  {
    query: 'checklistRate',
    what: 'a private one',
    data: () => ({ ...ofChecklist(), rating: 5 }),
    allowed: [],
    refused: 'NOT_SHARED',
    except: { owner: 'CANNOT_RATE_OWN' },
  },
  {
    query: 'checklistDelete',
    what: 'a private one',
    data: ofChecklist,
    allowed: onlyOwner,
    refused: 'NOT_FOUND',
  },
  {
    query: 'checklistDelete',
    what: 'one of an airline',
    data: () => ({ ...ofVaChecklist(), isVA: true }),
    allowed: onlyOwner,
    refused: 'FORBIDDEN',
    except: notAdmin,
  },
];

const profile = { registration: 'D-SECRET' };
const ofAirline = { isVA: true, vaName: va };
const ownerFile = () => `User_${userOf('owner').id}_D-SECRET.json`;
const fleet: readonly Row[] = [
  {
    query: 'fleetGet',
    what: 'a registration of another pilot',
    data: () => profile,
    allowed: onlyOwner,
    refused: 'NOT_FOUND',
  },
  {
    query: 'fleetGet',
    what: 'a profile of an airline',
    data: () => ({ ...profile, ...ofAirline }),
    allowed: airlineReaders,
    refused: 'FORBIDDEN',
  },
  {
    query: 'fleetSave',
    what: 'one based on that of another pilot',
    data: () => ({
      registration: 'D-OTHER',
      basedOnProfile: 'D-SECRET',
      profileData: { weight: { mslw: 63_000 } },
    }),
    allowed: onlyOwner,
    refused: 'INVALID_BASED_ON',
  },
  {
    query: 'fleetSave',
    what: 'a profile of an airline',
    data: () => ({
      registration: 'D-SECRET',
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 63_000 } },
      ...ofAirline,
    }),
    allowed: onlyOwner,
    refused: 'FORBIDDEN',
  },
  {
    query: 'aircraft',
    what: 'the file of another pilot',
    data: () => ({ aircraft: ownerFile(), userRegistration: 'D-SECRET', virtualAirline: null }),
    allowed: onlyOwner,
    refused: 'AIRCRAFT_NOT_FOUND',
  },
  {
    query: 'performance',
    what: 'the file of another pilot',
    data: () => ({
      requestType: 'LANDING',
      landingMode: 'inflight',
      aircraft: { file: ownerFile(), userRegistration: 'D-SECRET', virtualAirline: null },
      airport: 'KJFK',
      runway: '04L',
      weight: { landingWeight: 60_000 },
    }),
    allowed: [],
    refused: 'AIRCRAFT_NOT_FOUND',
    // The test has no airports.
    except: { owner: 'AIRPORT_NOT_FOUND' },
  },
  {
    query: 'performanceAirport',
    what: 'the file of another pilot',
    data: () => ({
      aircraft: { file: ownerFile(), userRegistration: 'D-SECRET', virtualAirline: null },
      airport: 'KJFK',
    }),
    allowed: [],
    refused: 'AIRCRAFT_NOT_FOUND',
    // The test has no airports.
    except: { owner: 'AIRPORT_NOT_FOUND' },
  },
  {
    query: 'fleetDelete',
    what: 'a profile of an airline',
    data: () => ({ ...profile, ...ofAirline }),
    allowed: onlyOwner,
    refused: 'FORBIDDEN',
  },
  {
    query: 'fleetDelete',
    what: 'a registration of another pilot',
    data: () => ({ registration: 'D-OTHER' }),
    allowed: onlyOwner,
    refused: 'NOT_FOUND',
  },
];

const noFile = { allowed: onlyOwner, refused: 'FILE_NOT_FOUND' } as const;
const noFolder = { allowed: onlyOwner, refused: 'FOLDER_NOT_FOUND' } as const;
const link = 'https://vimeo.com/76979871';
const library: readonly Row[] = [
  { query: 'libraryFileRename', what: 'a file', data: () => ({ fileId: ids['file'], name: 'x' }), ...noFile },
  {
    query: 'libraryFileMove',
    what: 'a file',
    data: () => ({ fileId: ids['file'], folderId: null }),
    ...noFile,
  },
  {
    query: 'libraryFolderCreate',
    what: 'a folder to put one in',
    data: () => ({ name: 'x', parentId: ids['folder'] }),
    ...noFolder,
  },
  {
    query: 'libraryUpload',
    what: 'a folder to put a link in',
    data: () => ({ url: link, folderId: ids['folder'] }),
    ...noFolder,
  },
  {
    query: 'libraryFolderRename',
    what: 'a folder',
    data: () => ({ folderId: ids['folder'], name: 'x' }),
    ...noFolder,
  },
  { query: 'libraryFolderDelete', what: 'a folder', data: () => ({ folderId: ids['folder'] }), ...noFolder },
  { query: 'libraryFileDelete', what: 'a file', data: () => ({ fileId: ids['file'] }), ...noFile },
];

export const ofSubscription = () => ({ subscriptionId: ids['subscription'] });
const noSubscription = { what: 'a subscription', refused: 'SUBSCRIPTION_NOT_FOUND' } as const;
const unsupported = { owner: 'OPERATION_NOT_SUPPORTED' } as const;
const subscriptions: readonly Row[] = [
  { query: 'getSubscriptionDetails', data: ofSubscription, allowed: onlyOwner, ...noSubscription },
  ...['resumeSubscription', 'cancelSubscription', 'getManageSubscriptionUrl'].map((query) => ({
    query,
    data: ofSubscription,
    allowed: [],
    except: unsupported,
    ...noSubscription,
  })),
  {
    query: 'setAutoRenewal',
    data: () => ({ ...ofSubscription(), enabled: false }),
    allowed: [],
    except: unsupported,
    ...noSubscription,
  },
  {
    query: 'pauseSubscription',
    data: () => ({ ...ofSubscription(), resumeDate: '2026-10-01' }),
    allowed: [],
    except: unsupported,
    ...noSubscription,
  },
  {
    query: 'subscriptionConfirmation',
    data: () => ({ ...ofSubscription(), action: 'pause_subscription' }),
    allowed: onlyOwner,
    ...noSubscription,
  },
  {
    query: 'applyDiscountCode',
    data: () => ({ ...ofSubscription(), code: 'NONE' }),
    allowed: [],
    except: { owner: 'INVALID_PROMO_CODE' },
    ...noSubscription,
  },
  {
    query: 'walletToCardMigration',
    data: ofSubscription,
    allowed: [],
    except: { owner: 'MIGRATION_NOT_ELIGIBLE' },
    ...noSubscription,
  },
];

const others: readonly Row[] = [
  {
    query: 'performanceGet',
    what: 'a calculation',
    data: () => ({ calculationId: ids['calculation'] }),
    allowed: onlyOwner,
    refused: 'CALCULATION_NOT_FOUND',
  },
  {
    query: 'reportQuery',
    what: 'a call of another user',
    data: () => ({ logId: ids['log'], severity: 'LOW', description: 'Wrong.' }),
    allowed: onlyOwner,
    refused: 'LOG_NOT_FOUND',
  },
  {
    query: 'updateProfile',
    what: 'an airline to fly for',
    data: () => ({ activeVaId: ids['va'] }),
    allowed: airlineReaders,
    refused: 'NOT_VA_MEMBER',
  },
];

export const rows: readonly Row[] = [
  ...plan,
  ...checklists,
  ...fleet,
  ...library,
  ...subscriptions,
  ...others,
];
