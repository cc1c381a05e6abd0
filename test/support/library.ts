/** The library, over HTTP. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import type { Sql } from '#store/postgres/sql.ts';
import { testApi } from '../api.ts';
import type { ApiOptions, Answer, TestApi, TestUser } from '../api.ts';
import { refusal } from './answers.ts';
import { insertBySql, runSql } from './sql.ts';

export type Entry = Record<string, string | null>;

export interface Library {
  folders: Entry[];
  files: Entry[];
  syncedAt: string;
  userProductLevel: number;
  storage: Record<'user' | 'va', { usedBytes: number; quotaMb: number }>;
}

export interface LibraryApi {
  api: TestApi;
  devKey: string;
  /** A user with a product, by default one with 500 MB. */
  member: (product?: string | null) => Promise<TestUser>;
  call: (query: string, user: Pick<TestUser, 'token'>, data?: Record<string, unknown>) => Promise<Answer>;
  /** Posts an upload form. */
  upload: (
    user: Pick<TestUser, 'token'>,
    file: Uint8Array,
    data?: Record<string, unknown>,
    name?: string,
  ) => Promise<Answer>;
  sync: (user: Pick<TestUser, 'token'>, since?: string) => Promise<Library>;
  /** Creates a folder; its id. */
  folder: (user: Pick<TestUser, 'token'>, name: string, parentId?: string | null) => Promise<string>;
  /** Uploads a file; its id. */
  file: (user: Pick<TestUser, 'token'>, bytes: Uint8Array, data?: Record<string, unknown>) => Promise<string>;
  /** `GET` of a download URL. */
  download: (url: string | null | undefined, headers?: Record<string, string>) => Promise<Response>;
  /** Storage keys of all stored documents, without those that a job is to delete. */
  stored: () => Promise<string[]>;
  close: () => Promise<void>;
}

const succeeded = (answer: Answer): Answer => {
  if (answer.status !== 200) throw new Error(`answered ${refusal(answer).join(' ')}`);
  return answer;
};

export const libraryApi = async (options: ApiOptions = {}): Promise<LibraryApi> => {
  const api = await testApi(options);
  const devKey = await api.key();
  const call: LibraryApi['call'] = (query, { token }, data) =>
    api.call(query, { token, headers: { 'x-dev-key': devKey }, ...(data ? { data } : {}) });
  const upload: LibraryApi['upload'] = async ({ token }, file, data, name = 'document.pdf') => {
    const form = new FormData();
    form.set('query', 'libraryUpload');
    if (data) form.set('data', JSON.stringify(data));
    form.set('file', new Blob([new Uint8Array(file)], { type: 'application/octet-stream' }), name);
    const headers = { authorization: `Bearer ${token}`, 'x-dev-key': devKey };
    const response = await api.fetch('/api', { method: 'POST', body: form, headers });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Answer['body'],
    };
  };
  return {
    api,
    devKey,
    call,
    upload,
    member: async (product = 'EFB_STANDARD_M') => {
      const user = await api.user();
      if (product !== null) await api.grant(user, product);
      return user;
    },
    sync: async (user, since) =>
      succeeded(await call('librarySync', user, since === undefined ? {} : { since })).body[
        'library'
      ] as Library,
    folder: async (user, name, parentId = null) => {
      const { body } = succeeded(await call('libraryFolderCreate', user, { name, parentId }));
      return (body['folder'] as { id: string }).id;
    },
    file: async (user, bytes, data) => String(succeeded(await upload(user, bytes, data)).body['fileId']),
    download: async (url, headers = {}) => {
      const { pathname, search } = new URL(url ?? 'none');
      return api.fetch(`${pathname}${search}`, { headers });
    },
    stored: async () => {
      const deleted = await api.context.postgres.db.values<string>(sql`
        SELECT jsonb_array_elements_text(data -> 'keys') FROM pgboss.job WHERE name = 'file.delete' AND state = 'created'`);
      try {
        const names = await readdir(join(api.context.config.DATA_DIR, 'files', 'library'));
        const keys = names.map((name) => `library/${name}`).sort();
        return keys.filter((key) => !deleted.includes(key));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
        throw error;
      }
    },
    close: api.close,
  };
};

export interface Scene {
  user: TestUser;
  /** Ids of entries that the user must not change, by kind. */
  foreign: Record<'folder' | 'file', { system: string; airline: string; other: string }>;
}

/** A user who sees a folder and a file of the service and of an airline; another user has others. */
export const libraryScene = async (library: LibraryApi): Promise<Scene> => {
  const { postgres } = library.api.context;
  const [user, other] = [await library.member(), await library.member()];
  const { id: vaId } = await insertBySql<{ id: number }>(postgres)`
    INSERT INTO virtual_airline (name) VALUES (${`Air ${user.id}`}) RETURNING id`;
  await runSql(postgres)`INSERT INTO va_member (user_id, va_id) VALUES (${user.id}, ${vaId})`;
  await runSql(postgres)`INSERT INTO library_space (va_id) VALUES (${vaId})`;
  const entries = async (condition: Sql): Promise<[string, string]> => {
    const times = sql`now(), now(), now()`;
    const [folder, file] = await postgres.transaction(async (tx) => [
      await tx.one<{ id: number }>(sql`
        INSERT INTO library_folder (space_id, name, created_at, updated_at, changed_at)
        SELECT id, 'Theirs', ${times} FROM library_space WHERE ${condition} RETURNING id`),
      await tx.one<{ id: number }>(sql`
        INSERT INTO library_file (space_id, name, type, url, created_at, updated_at, changed_at)
        SELECT id, 'Theirs', 'video_url', 'https://youtu.be/dQw4w9WgXcQ', ${times} FROM library_space
        WHERE ${condition} RETURNING id`),
    ]);
    return [String(folder?.id), String(file?.id)];
  };
  const system = await entries(sql`user_id IS NULL AND va_id IS NULL`);
  const airline = await entries(sql`va_id = ${vaId}`);
  const theirs = await library.folder(other, 'Private');
  const theirFile = await library.call('libraryUpload', other, { url: 'https://youtu.be/dQw4w9WgXcQ' });
  return {
    user,
    foreign: {
      folder: { system: system[0], airline: airline[0], other: theirs },
      file: { system: system[1], airline: airline[1], other: String(theirFile.body['fileId']) },
    },
  };
};

/** An input with status and code of its refusal. */
type Refused = [Record<string, unknown>, number, string];

/** Inputs naming foreign and unknown entries, with the expected refusals. */
export const foreignCases = ({ foreign }: Scene, kind: 'folder' | 'file', field = `${kind}Id`): Refused[] => {
  const code = `${kind.toUpperCase()}_NOT_FOUND`;
  const { system, airline, other } = foreign[kind];
  return [
    [{ [field]: system }, 403, 'READ_ONLY'],
    [{ [field]: Number(airline) }, 403, 'READ_ONLY'],
    [{ [field]: other }, 404, code],
    [{ [field]: 999_999_999 }, 404, code],
    [{ [field]: 'x' }, 404, code],
    [{ [field]: -1 }, 404, code],
  ];
};

/** Expects the refusals of these inputs, and that foreign entries stay unchanged. */
export const expectRefusals = async (
  library: LibraryApi,
  scene: Scene,
  { query, kind, data, cases }: { query: string; kind: 'folder' | 'file'; data: object; cases: Refused[] },
): Promise<void> => {
  const { user } = scene;
  const foreign = foreignCases(scene, kind).map(([ids, ...refused]): Refused => [
    { ...data, ...ids },
    ...refused,
  ]);
  for (const [given, ...refused] of [...cases, ...foreign])
    expect([given, ...refusal(await library.call(query, user, given))]).toEqual([given, ...refused]);
  const entries = (await library.sync(user))[`${kind}s`];
  expect(entries.filter(({ name }) => name === 'Theirs')).toHaveLength(2);
};
