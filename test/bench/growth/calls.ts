/** The input of every query: its example, with existing ids of the account. */
import { loadRegistries } from '#api/registry.ts';
import type { Registered } from '#api/registry.ts';
import type { Postgres } from '#store/postgres/pool.ts';
import { sql } from '#store/postgres/sql.ts';
import { planDocument } from '#test/support/ofp.ts';
import { documentOf } from '#test/support/checklists.ts';
import { inOrder } from '#test/support/fuzz/send.ts';
import { withKnown } from '#test/support/fuzz/valid.ts';
import type { Known } from '#test/support/fuzz/valid.ts';
import { benchKey } from '../support/accounts.ts';

export interface Account {
  userId: number;
  token: string;
  email: string;
}

type Owned = Record<string, readonly string[]>;

/** Name of the benchmark's own connections. */
export const benchConnections = 'bench';

/** Prefix of the benchmark's own statements. */
export const ownMark = '-- of the benchmark';

/** Ids by field; each call takes the next one. */
const ownedOf = (db: Postgres['db'], userId: number): Promise<Owned> => {
  const first = (column: string, from: string) =>
    `ARRAY(SELECT ${column}::text FROM ${from} ORDER BY 1 LIMIT 40)`;
  const text = Object.entries({
    ofpId: first('id', `ofp WHERE user_id = ${userId}`),
    checklistId: first('id', `checklist WHERE user_id = ${userId}`),
    registration: first('registration', `fleet_profile WHERE user_id = ${userId}`),
    folderId: first('id', `library_folder WHERE space_id = ${userId}`),
    fileId: first('id', `library_file WHERE space_id = ${userId} AND deleted_at IS NULL`),
    subscriptionId: first('id', `subscription WHERE user_id = ${userId} AND ends_at > now()`),
    calculationId: first('public_id', `calculation WHERE user_id = ${userId}`),
    logId: first('id', `request_log WHERE user_id = ${userId}`),
    id: first('id', `ofp_share WHERE owner_id = ${userId}`),
  })
    .map(([name, list]) => `${list} AS "${name}"`)
    .join(', ');
  return db.one<Owned>(sql([`${ownMark}\nSELECT ${text}`] as unknown as TemplateStringsArray));
};

let calls = 0;

/** Data of the call `round` of a query. */
export const dataOf = (
  { name, example = {} }: Registered,
  owned: Owned,
  { email }: Account,
  round: number,
): unknown => {
  calls += 1;
  const numeric = /^(?:folderId|fileId|subscriptionId|logId|id)$/;
  const ids = Object.entries(owned).flatMap(([field, values]) => {
    const value = values[round % Math.max(1, values.length)];
    return value === undefined ? [] : [[field, [numeric.test(field) ? Number(value) : value]] as const];
  });
  const known: Known = {
    ...Object.fromEntries(ids),
    dataKey: ['fuel1'],
    version: [1],
    expectedVersion: [3],
    basedOnProfile: ['A320-214'],
    profileData: [{ weight: { mslw: 64_000 } }],
    checklist: [documentOf()],
    document: [planDocument({ requestId: `9${calls}` })],
    ...(Array.isArray((example as Record<string, unknown>)['icao']) ? {} : { icao: ['KJFK'] }),
    email: [name === 'login' ? email : `new${calls}@grown.example.org`],
    sharedWithEmail: [`new${calls}@grown.example.org`],
    password: ['grown password'],
    oldPassword: ['grown password'],
    newPassword: ['grown password'],
    name: [`New ${calls}`],
    url: ['https://vimeo.com/76979871'],
    timeZone: ['Europe/Berlin'],
    // Without `since` everything would be returned again.
    since: [new Date(Date.now() - 3_600_000).toISOString()],
    // A user's own checklist cannot be rated.
    ...(name === 'checklistRate' ? { checklistId: ['default:1.3.6:a320-family'] } : {}),
  };
  if (name === 'ofpImport') return { source: 'json', document: planDocument({ requestId: `9${calls}` }) };
  // Each save creates another version.
  const fields = Object.entries(example as Record<string, unknown>).filter(
    ([field]) => name !== 'flightDataSave' || field !== 'expectedVersion',
  );
  return withKnown(Object.fromEntries(fields), name === 'navdataSearch' ? {} : known);
};

export interface Called {
  ms: number;
  status: number;
}

export const createCaller = (url: string, { db }: Pick<Postgres, 'db'>) => {
  const owned = new Map<number, Promise<Owned>>();
  return async (operation: Registered, account: Account, round: number): Promise<Called> => {
    const { userId, token } = account;
    const known = owned.get(userId) ?? ownedOf(db, userId);
    owned.set(userId, known);
    const body = JSON.stringify({
      query: operation.name,
      devKey: benchKey,
      dev_key: benchKey,
      data: dataOf(operation, await known, account, round),
    });
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-dev-key': benchKey,
    };
    const started = performance.now();
    const response = await fetch(`${url}/api`, { method: 'POST', body, headers });
    await response.arrayBuffer();
    return { ms: performance.now() - started, status: response.status };
  };
};
export type Caller = ReturnType<typeof createCaller>;

/** Every query, deletions last. */
export const everyQuery = async (): Promise<Registered[]> =>
  inOrder((await loadRegistries()).queries.operations);
