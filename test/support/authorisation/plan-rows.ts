/** Permissions on the owner's plan and its data. */
import { planText } from '../ofp.ts';
import { onlyOwner } from './row.ts';
import type { Row } from './row.ts';
import { ids, newPlan, save } from './scene.ts';
import type { Fields, Principal } from './scene.ts';

const sharers: readonly Principal[] = ['owner', 'view share', 'edit share'];
const ofOfp = () => ({ ofpId: ids['ofp'] });
const recipientsMayNot = {
  'view share': 'INSUFFICIENT_PERMISSION',
  'edit share': 'INSUFFICIENT_PERMISSION',
} as const;
const othersFindNothing = { refused: 'OFP_NOT_FOUND' } as const;

export const planRows: readonly Row[] = [
  ...[
    'ofpGet',
    'weatherRoute',
    'weatherRouteProfile',
    'ofpMap',
    'flightDataList',
    'checklistProgress',
    'crewPresence',
  ].map((query) => ({
    query,
    what: 'a plan',
    data: ofOfp,
    allowed: sharers,
    ...othersFindNothing,
  })),
  {
    query: 'briefing',
    what: 'a plan',
    data: () => ({ ...ofOfp(), performance: false }),
    allowed: sharers,
    ...othersFindNothing,
  },
  {
    query: 'flightDataGet',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf' }),
    allowed: sharers,
    ...othersFindNothing,
  },
  {
    query: 'flightDataHistory',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf' }),
    allowed: sharers,
    ...othersFindNothing,
  },
  {
    query: 'checklistProgressSave',
    what: 'a plan',
    data: () => ({ ...ofOfp(), checklistId: '787', items: [] }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...othersFindNothing,
  },
  {
    query: 'flightDataSave',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf', payload: { b: 2 } }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...othersFindNothing,
  },
  {
    query: 'flightDataRestore',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf', version: 1 }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...othersFindNothing,
  },
  {
    query: 'flightDataDelete',
    what: 'a plan',
    data: () => ({ ...ofOfp(), dataKey: 'perf' }),
    allowed: ['owner', 'edit share'],
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...othersFindNothing,
    restore: save,
  },
  {
    query: 'ofpExport',
    what: 'a plan',
    data: () => ({ ...ofOfp(), format: 'FMS' }),
    allowed: sharers,
    ...othersFindNothing,
  },
  {
    query: 'ofpRename',
    what: 'a plan',
    data: () => ({ ...ofOfp(), name: 'Renamed' }),
    allowed: onlyOwner,
    except: recipientsMayNot,
    ...othersFindNothing,
  },
  { query: 'ofpShare', what: 'a plan', data: ofOfp, allowed: onlyOwner, ...othersFindNothing },
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
    ...othersFindNothing,
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
    // The share with edit permission was revoked above.
    except: { 'view share': 'INSUFFICIENT_PERMISSION' },
    ...othersFindNothing,
    restore: newPlan,
  },
];
