/** Names that look the same are the same, in whichever Unicode normal form keyboards and file systems write them. */
import FormDataOfNode from 'form-data';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestUser } from '../api.ts';
import { airline } from '../support/airlines.ts';
import { at, refusal } from '../support/answers.ts';
import { pdfOf } from '../support/documents.ts';
import { dataOf, fleetCalls } from '../support/fleet.ts';
import { libraryApi } from '../support/library.ts';
import type { LibraryApi } from '../support/library.ts';
import { planDocument } from '../support/ofp.ts';
import { schemaBefore } from '../support/older-schema.ts';
import { ops } from '../support/ops.ts';
import { sampled } from '../support/deep.ts';
import { insertAllBySql, runSql } from '../support/sql.ts';

let library: LibraryApi;
let user: TestUser;
beforeAll(async () => {
  library = await libraryApi();
  user = await library.member();
});
afterAll(() => library.close());

/** Latin, Vietnamese, kana, Hangul and Cyrillic, which all have letters of two code points in NFD. */
const names = sampled(['Líneas', 'Tiếng Việt', 'ガイド', '한국', 'Чайка'], 2);
const decomposed = (name: string): string => {
  const text = name.normalize('NFD');
  expect(text).not.toBe(name);
  return text;
};
const namesOf = (entries: readonly { name?: string | null }[]) =>
  entries.map(({ name }) => String(name)).toSorted((a, b) => (a < b ? -1 : 1));

test.each(names)(
  'A chart %s uploaded from a Mac replaces its twin and can be renamed to it',
  async (name) => {
    const mac = `${decomposed(name)}.pdf`;
    const first = await library.upload(user, pdfOf('one'), { replace: true }, `${name}.pdf`);
    const form = new FormDataOfNode();
    form.append('query', 'libraryUpload');
    form.append('data', '{"replace":true}');
    form.append('file', pdfOf('two'), { filename: mac });
    const response = await library.api.fetch('/api', {
      method: 'POST',
      body: new Uint8Array(form.getBuffer()),
      headers: { ...form.getHeaders(), authorization: `Bearer ${user.token}`, 'x-dev-key': library.devKey },
    });
    const { fileId } = first.body;
    expect(await response.json()).toMatchObject({ fileId, version: '2', file: { name: `${name}.pdf` } });
    const renamed = await library.call('libraryFileRename', user, { fileId, name: mac });
    expect(renamed.body['file']).toMatchObject({ name: `${name}.pdf` });
  },
);

test('NFD folder names are listed in NFC', async () => {
  for (const name of names) await library.folder(user, decomposed(name));
  expect(namesOf((await library.sync(user)).folders)).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
});

test.each(names)('An airline %s is created once, and its admin may use either form', async (name) => {
  const { api } = library;
  const { admin, full } = await airline(api, decomposed(name));
  const again = await ops(api.context, 'va create --name', name);
  expect([again.status, again.err]).toEqual([expect.any(Number), expect.stringMatching(/already|exists/)]);
  for (const [caller, vaName] of [
    [admin, decomposed(name)],
    [full, name],
    [full, decomposed(name)],
  ] as const) {
    const registration = `D-A${String(caller.id)}`;
    const data = {
      registration,
      basedOnProfile: 'A320-214',
      profileData: { weight: { mslw: 64_000 } },
      isVA: true,
      vaName,
    };
    const saved = await api.call('fleetSave', { token: caller.token, data });
    expect(saved.status).toBe(200);
    const key = { aircraft: 'A320-214', userRegistration: registration, virtualAirline: vaName };
    const read = await api.call('aircraft', { token: admin.token, data: key });
    expect([read.status, read.body['error']]).toEqual([200, undefined]);
  }
});

test.each(names)('A plan %s is found in either form, whichever was used to name it', async (name) => {
  const { api } = library;
  const imported = { source: 'json', document: planDocument() };
  const { ofpId } = (await api.call('ofpImport', { token: user.token, data: imported })).body;
  await api.call('ofpRename', { token: user.token, data: { ofpId, name: decomposed(name) } });
  for (const search of [name, decomposed(name), name.toUpperCase()]) {
    const { body } = await api.call('ofpList', { token: user.token, data: { search } });
    expect(body).toMatchObject({ items: [{ ofpId, name }] });
  }
  await api.call('ofpDelete', { token: user.token, data: { ofpId } });
});

test.each([
  ['Jiří', 'Dvořák'],
  ['한', '김민준'],
  ['ガイ', 'ベ'],
])('The operator finds %s %s in either form', async (firstname, lastname) => {
  const { api } = library;
  const email = `${encodeURIComponent(lastname).toLowerCase()}@efb.example`;
  const person = { email, password: 'correct horse', firstname: decomposed(firstname), lastname };
  const made = await api.call('register', { devKey: await api.key(), data: person });
  expect(at(made, 'user', 'firstname')).toBe(firstname);
  for (const search of [firstname, decomposed(firstname)]) {
    const { out } = await ops(api.context, 'user list --search', search);
    expect(out).toContain(email);
  }
  expect(refusal(await api.call('register', { devKey: await api.key(), data: person }))[0]).toBe(409);
});

test('Names stored in other forms by an earlier version are converted to NFC, and airlines remain distinct', async () => {
  const older = await schemaBefore('0197');
  try {
    for (const name of ['Líneas', decomposed('Líneas'), decomposed('Чайка'), 'Plain'])
      await runSql(older.postgres)`INSERT INTO virtual_airline (name) VALUES (${name})`;
    await runSql(older.postgres)`
      INSERT INTO app_user (email, password_hash, firstname, lastname, crewcode, rank)
      VALUES ('a@efb.example', 'x', ${decomposed('Jiří')}, ${decomposed('Dvořák')}, 'X', 'CAPT')`;
    await older.upgrade();
    expect(await insertAllBySql(older.postgres)`SELECT name FROM virtual_airline ORDER BY id`).toEqual([
      { name: 'Líneas' },
      { name: 'Líneas 2' },
      { name: 'Чайка' },
      { name: 'Plain' },
    ]);
    expect(await insertAllBySql(older.postgres)`SELECT firstname, lastname FROM app_user`).toEqual([
      { firstname: 'Jiří', lastname: 'Dvořák' },
    ]);
  } finally {
    await older.close();
  }
});

test.each<[string, object, string]>([
  ['login', { email: 'anna\u200b@efb.example', password: 'x' }, 'email: has an invisible character, U+200B'],
  ['login', { email: 'anna@e\u200dfb.example', password: 'x' }, 'email: has an invisible character, U+200D'],
  ['fleetGet', { registration: 'D-\u2060AIZA' }, 'registration: has an invisible character, U+2060'],
  [
    'libraryFolderCreate',
    { name: 'Charts\u202efdp', parentId: null },
    'name: has an invisible character, U+202E',
  ],
  ['weather', { icao: 'KJ\ufeffFK' }, 'icao: has an invisible character, U+FEFF'],
])('%s names the invisible character, %j', async (query, data, hint) => {
  const { status, body } = await library.call(query, user, data as Record<string, unknown>);
  expect(status).toBe(400);
  expect(JSON.stringify(body)).toContain(`${hint}; write it again`);
});

test.each(sampled(['‐', '‑', '–', '—', '−', '－'], 3))(
  'The keyboard dash %s is a hyphen wherever a registration is given (A-29)',
  async (dash) => {
    const fleet = fleetCalls(library.api);
    const [pilot, typed] = [await library.api.user(), `d${dash}aizd`];
    const saved = await fleet.save(pilot, typed, 'A320-214', { weight: { mslw: 64_000 } });
    expect(dataOf(saved)).toMatchObject({ registration: 'D-AIZD' });
    const other = await fleet.save(pilot, `D${dash}AIZE`, typed, { weight: { mslw: 63_000 } });
    expect(dataOf(other)).toMatchObject({ registration: 'D-AIZE', file: `User_${pilot.id}_D-AIZE.json` });
    expect((await fleet.get(pilot, typed)).status).toBe(200);
    const key = { aircraft: 'A320-214', userRegistration: typed, virtualAirline: null };
    const read = await library.api.call('aircraft', { token: pilot.token, data: key });
    expect(JSON.stringify(read.body)).toContain('"userRegistration":"D-AIZD"');
  },
);
