/** Fleet operations over HTTP, with data as in the contract. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { Answer, TestApi, TestUser } from '../api.ts';
import { at } from './answers.ts';

type Fields = Record<string, unknown>;

export interface FleetCalls {
  save: (
    user: TestUser,
    registration: string,
    basedOnProfile: string,
    profileData: unknown,
    more?: Fields,
  ) => Promise<Answer>;
  get: (user: TestUser, registration: string, more?: Fields) => Promise<Answer>;
  remove: (user: TestUser, registration: string, more?: Fields) => Promise<Answer>;
  /** The three lists. */
  list: (user: TestUser) => Promise<Record<'userFleet' | 'vaFleet' | 'communityFleet', Fields[]>>;
  aircraft: (
    user: TestUser,
    file: string,
    userRegistration?: string | null,
    virtualAirline?: string | null,
  ) => Promise<Answer>;
  /** The row of this user's profile. */
  row: (user: TestUser, registration: string) => Promise<Fields | undefined>;
}

export const fleetCalls = (api: TestApi): FleetCalls => {
  const call = (query: string, user: TestUser, data: Fields) => api.call(query, { token: user.token, data });
  const list: FleetCalls['list'] = async (user) => {
    const answer = await call('fleetList', user, {});
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return at(answer, 'data') as Awaited<ReturnType<FleetCalls['list']>>;
  };
  return {
    save: (user, registration, basedOnProfile, profileData, more = {}) =>
      call('fleetSave', user, { registration, basedOnProfile, profileData, ...more }),
    get: (user, registration, more = {}) => call('fleetGet', user, { registration, ...more }),
    remove: (user, registration, more = {}) => call('fleetDelete', user, { registration, ...more }),
    list,
    aircraft: (user, file, userRegistration = null, virtualAirline = null) =>
      call('aircraft', user, { aircraft: file, userRegistration, virtualAirline }),
    row: async (user, registration) =>
      (await list(user)).userFleet.find((row) => row['registration'] === registration),
  };
};

/** Expects a success and returns its `data`. */
export const dataOf = (answer: Answer): Fields => {
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200, body: { success: true } });
  return answer.body['data'] as Fields;
};

/** Sorted storage keys of all fleet files on disk, and of all rows. */
export const filesAndRows = async ({ config, postgres }: TestApi['context']) => {
  const folder = join(config.DATA_DIR, 'files');
  const listed = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = listed
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  const rows = await postgres.db.any<{ key: string }>(sql`SELECT storage_key AS key FROM fleet_profile`);
  return { files: files.toSorted(), rows: rows.map(({ key }) => key).toSorted() };
};
