/** Permissions on the owner's data. */
import { documentOf } from '../checklists.ts';
import { planRows } from './plan-rows.ts';
import { onlyOwner } from './row.ts';
import type { Row } from './row.ts';
import { ids, userOf, va } from './scene.ts';
import type { Principal } from './scene.ts';

const airlineReaders: readonly Principal[] = ['owner', 'VA member'];

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
    query: 'checklistExport',
    what: 'a private one',
    data: () => ({ ...ofChecklist(), format: 'CSV' }),
    allowed: onlyOwner,
    refused: 'FORBIDDEN',
  },
  {
    query: 'checklistExport',
    what: 'one of an airline',
    data: () => ({ ...ofVaChecklist(), format: 'PDF' }),
    allowed: airlineReaders,
    refused: 'FORBIDDEN',
  },
  {
    query: 'checklistImport',
    what: 'for an airline',
    data: () => ({ format: 'JSON', content: JSON.stringify(documentOf()), isVA: true, vaName: va }),
    allowed: onlyOwner,
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
    query: 'checklistReport',
    what: 'a private one',
    data: () => ({ ...ofChecklist(), reason: 'WRONG' }),
    allowed: [],
    refused: 'NOT_SHARED',
    except: { owner: 'CANNOT_REPORT_OWN' },
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
    query: 'libraryUploadBegin',
    what: 'a file to replace',
    data: () => ({ name: 'x', bytes: 9, sha256: 'a'.repeat(64), fileId: ids['file'] }),
    ...noFile,
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
  ...planRows,
  ...checklists,
  ...fleet,
  ...library,
  ...subscriptions,
  ...others,
];
