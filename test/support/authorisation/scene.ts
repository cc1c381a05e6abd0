/**
 * An owner with a plan, checklists, profiles, documents and a subscription, and other users with some or no rights to
 * them.
 */
import { testApi } from '../../api.ts';
import type { Answer, TestApi, TestUser } from '../../api.ts';
import { airline } from '../airlines.ts';
import { newChecklist } from '../checklists.ts';
import { insertLanding } from '../landing.ts';
import { planText } from '../ofp.ts';
import { insertBySql } from '../sql.ts';

export const principals = [
  'owner',
  'view share',
  'edit share',
  'revoked share',
  'VA member',
  'admin of another VA',
  'stranger',
] as const;
export type Principal = (typeof principals)[number];
export type Fields = Record<string, unknown>;

/** Ids of the owner's objects, filled before the tests. */
export const ids: Record<string, string | number> = {};
export const va = 'Alpha Air';
/** Texts in the owner's objects, which no refusal may contain. */
export const secrets = ['secret-plan', 'secret-checklist', 'secret-folder', 'secret-addon'];

let running: TestApi;
/** The API, once `fill` has run. */
export const served = (): TestApi => running;
let devKey: string;
const users = new Map<Principal, TestUser>();
export const userOf = (principal: Principal): TestUser => {
  const user = users.get(principal);
  if (!user) throw new Error(`no ${principal}`);
  return user;
};
export const call = (query: string, principal: Principal, data: Fields): Promise<Answer> =>
  running.call(query, { token: userOf(principal).token, devKey, data });
const done = async (query: string, data: Fields, principal: Principal = 'owner'): Promise<Fields> => {
  const { status, body } = await call(query, principal, data);
  if (status !== 200) throw new Error(`${query} answered ${JSON.stringify(body)}`);
  return body;
};

export const save = (dataKey = 'perf') =>
  call('flightDataSave', 'owner', { ofpId: ids['ofp'], dataKey, payload: { a: 1 } });
export const newPlan = async () => {
  const body = await done('ofpImport', {
    source: 'json',
    document: JSON.parse(planText({ requestId: '1' })),
  });
  ids['ofp'] = String(body['ofpId']);
};
const share = async (recipient: Principal, permission: string): Promise<number> => {
  const { email } = userOf(recipient);
  const body = await done('ofpShare', { ofpId: ids['ofp'], permission, sharedWithEmail: email });
  const { id, shareToken } = body['share'] as { id: number; shareToken: string };
  await done('ofpShareAccept', { shareToken }, recipient);
  ids[`token of ${recipient}`] = shareToken;
  return id;
};
const saveProfile = (more: Fields = {}) =>
  done('fleetSave', {
    registration: 'D-SECRET',
    basedOnProfile: 'A320-214',
    profileData: { weight: { mslw: 64_000 } },
    addon: 'secret-addon',
    ...more,
  });

/** Creates the API, the users and the objects, once per test file. Returns the function that closes the API. */
export const fill = async (): Promise<() => Promise<void>> => {
  running = await testApi();
  const api = running;
  devKey = await api.key();
  const alpha = await airline(api, va);
  const beta = await airline(api, 'Beta Air');
  users.set('owner', alpha.admin).set('VA member', alpha.member).set('admin of another VA', beta.admin);
  for (const principal of principals) if (!users.has(principal)) users.set(principal, await api.user());
  for (const user of users.values()) await api.grant(user, 'EFB_PRO_M');
  const owner = userOf('owner');

  await newPlan();
  ids['viewShare'] = await share('view share', 'view');
  ids['editShare'] = await share('edit share', 'edit');
  await done('ofpShareRevoke', { id: await share('revoked share', 'edit') });
  await save();
  ids['checklist'] = await newChecklist(api, owner, { name: 'secret-checklist' });
  ids['vaChecklist'] = await newChecklist(api, owner, { name: 'secret-checklist', isVA: true });
  await saveProfile();
  await saveProfile({ isVA: true });
  const folder = await done('libraryFolderCreate', { name: 'secret-folder' });
  ids['folder'] = (folder['folder'] as { id: string }).id;
  const file = await done('libraryUpload', { url: 'https://vimeo.com/76979871', name: 'secret-folder' });
  ids['file'] = String(file['fileId']);
  const { id } = await insertBySql<{ id: number }>(api.context.postgres)`
    SELECT id FROM subscription WHERE user_id = ${owner.id} LIMIT 1`;
  ids['subscription'] = id;
  const { postgres, clock } = api.context;
  const landing = await postgres.transaction((tx) => insertLanding(tx, owner.id, clock.now()));
  ids['calculation'] = landing.publicId;
  const log = await call('userStatistics', 'owner', {});
  ids['log'] = Number(log.headers.get('x-svc-log-id'));
  const { id: vaId } = await insertBySql<{ id: number }>(api.context.postgres)`
    SELECT id FROM virtual_airline WHERE name = ${va}`;
  ids['va'] = vaId;
  return api.close;
};
