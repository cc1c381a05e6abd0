import { mkdtemp, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { newChecklist } from '#test/support/checklists.ts';
import { dataOf, fleetCalls } from '#test/support/fleet.ts';
import { ops as opsOf } from '#test/support/ops.ts';
import { plain } from '#test/support/pictures.ts';

let api: TestApi;
let user: TestUser;
let folder: string;
beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  folder = await mkdtemp(join(api.context.config.DATA_DIR, 'logos-'));
});
afterAll(() => api.close());

const ops = (line: string, ...more: string[]) => opsOf(api.context, line, ...more);
const person = async ({ token } = user): Promise<Record<string, unknown>> =>
  at(await api.call('refreshUserData', { token }), 'user') as Record<string, unknown>;

describe('va', () => {
  test('An airline, its members and its admins are managed (G-05, M-2.7.u10)', async () => {
    expect((await ops('va create --json --name', 'Delta Test')).json).toMatchObject({
      ok: true,
      name: 'Delta Test',
    });
    const twice = await ops('va create --json --name', 'DELTA test');
    expect(twice.json).toMatchObject({ ok: false, error: { code: 'VA_EXISTS' } });
    expect((await ops(`va member add --email ${user.email} --va`, 'delta test')).status).toBe(0);
    expect(await person()).toMatchObject({
      vaMemberships: [{ name: 'Delta Test', isActive: false }],
      activeVa: null,
    });
    const active = await ops(`va member add --active --json --email ${user.email} --va`, 'delta test');
    expect(active.json).toMatchObject({ va: 'Delta Test', added: false });
    expect(await person()).toMatchObject({ activeVa: { name: 'Delta Test' } });
    const listed = await ops('va member list --json --va', 'Delta Test');
    expect(listed.json['members']).toEqual([expect.objectContaining({ email: user.email })]);

    expect((await ops(`va admin add --email ${user.email} --scope VA_ONLY --va`, 'Delta Test')).status).toBe(
      0,
    );
    expect((await person())['vaAdmin']).toEqual({ scope: 'VA_ONLY', vaName: 'Delta Test' });
    await ops(`va admin deactivate --email ${user.email}`);
    expect((await person())['vaAdmin']).toBeNull();
    // A new role is active.
    expect((await ops(`va admin add --email ${user.email} --scope FULL`)).status).toBe(0);
    expect((await person())['vaAdmin']).toEqual({ scope: 'FULL', vaName: null });
    expect((await ops('va admin list')).out).toContain(user.email);
    expect((await ops(`va admin remove --email ${user.email}`)).status).toBe(0);
    expect((await person())['vaAdmin']).toBeNull();

    expect((await ops(`va member remove --email ${user.email} --va`, 'Delta Test')).status).toBe(0);
    expect(await person()).toMatchObject({ vaMemberships: [], activeVa: null });
    const again = await ops(`va member remove --email ${user.email} --json --va`, 'Delta Test');
    expect(again.json).toMatchObject({ ok: false, error: { code: 'NOT_A_MEMBER' } });
  });

  test('The preferred aircraft of an airline survives a rename, and is dropped when the pilot leaves or the airline is deleted', async () => {
    const admin = await api.user();
    const pilot = await api.user();
    const preferred = async () =>
      ((await person(pilot))['userPreferences'] as Record<string, unknown>)['defaultAircraftOnStartup'];
    const none = { file: null, userRegistration: null, vaFleet: false };
    const choose = async (airline: string, userRegistration: string) => {
      await ops(`va create --name`, airline);
      await ops(`va admin add --email ${admin.email} --scope VA_ONLY --va`, airline);
      await ops(`va member add --email ${pilot.email} --va`, airline);
      const weight = { weight: { mslw: 64_000 } };
      dataOf(await fleetCalls(api).save(admin, userRegistration, '737-800-7B26', weight, { isVA: true }));
      const chosen = { file: `${userRegistration}.json`, userRegistration, vaFleet: true };
      const data = { defaultAircraftOnStartup: chosen };
      expect((await api.call('saveUserSettings', { token: pilot.token, data })).status).toBe(200);
      return chosen;
    };
    const first = await choose('Golf Test', 'N901AA');
    await ops('va update --va', 'Golf Test', '--name', 'Golf Two');
    expect(await preferred()).toEqual(first);
    await ops(`va member remove --email ${pilot.email} --va`, 'Golf Two');
    expect(await preferred()).toEqual(none);
    const second = await choose('Hotel Test', 'N902AA');
    await ops(`va member add --email ${pilot.email} --va`, 'Golf Two');
    await ops(`va member remove --email ${pilot.email} --va`, 'Golf Two');
    expect(await preferred()).toEqual(second);
    await ops('va delete --va', 'Hotel Test');
    expect(await preferred()).toEqual(none);
    await ops('va delete --va', 'Golf Two');
  });

  test('An update keeps omitted values, and the two logos must be given together', async () => {
    await ops('va create --website https://e.example --name', 'Echo Test');
    const { json } = await ops('va update --partner yes --json --va', 'Echo Test');
    expect(json['va']).toMatchObject({ website: 'https://e.example', isPartner: true });
    const half = await ops('va update --logo-dark https://e.example/d.svg --json --va', 'Echo Test');
    expect([half.status, half.json['ok']]).toEqual([2, false]);
    expect((await ops('va admin add --email a@b.example --scope VA_ONLY')).status).toBe(2);
    const renamed = await ops('va update --json --va', 'echo test', '--name', 'Echo Two');
    expect(renamed.json['va']).toMatchObject({ name: 'Echo Two', website: 'https://e.example' });
    const shown = await ops('va show --json --va', 'echo two');
    expect(shown.json['va']).toMatchObject({ name: 'Echo Two', members: 0, admins: 0, checklists: 0 });
  });

  test('Names, URLs and addresses are checked, and an unknown airline or user is named', async () => {
    const usage = [
      ['va create --name', ' '],
      ['va create --name', 'x'.repeat(101)],
      ['va create --website javascript:alert(1) --name', 'Foxtrot'],
      ['va create --contact-email x --name', 'Foxtrot'],
      ['va create --logo https:// --name', 'Foxtrot'],
    ] as const;
    for (const [line, value] of usage) expect([line, (await ops(line, value)).status]).toEqual([line, 2]);
    for (const verb of ['show', 'delete', 'update', 'member list']) {
      const { status, json } = await ops(`va ${verb} --json --va`, 'No such');
      expect([verb, status, json['error']]).toMatchObject([verb, 1, { code: 'NOT_FOUND' }]);
    }
    const both = await ops('va admin add --scope FULL --email any@one.example --va', 'No such');
    expect([both.status, both.err]).toEqual([
      2,
      expect.stringContaining('--va is required with --scope VA_ONLY, and only there'),
    ]);
    const noUser = await ops('va admin add --json --scope FULL --email no@one.example');
    expect(noUser.json).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  test('Logos given as files are served by this service under new URLs until replaced (M-2.7.u8, M-2.7.u9)', async () => {
    const file = async (name: string, content: Buffer): Promise<string> => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    };
    const png = await plain(40, 30).png().toBuffer();
    const path = await file('one.png', png);
    await ops('va create --partner yes --logo', path, '--name', 'Golf Air');
    const partner = async () => {
      const partners = (await person())['vaPartners'] as Record<string, unknown>[];
      return partners.find(({ name }) => name === 'Golf Air') ?? {};
    };
    const url = String((await partner())['logo']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/logos\/[\da-f-]{36}$/);
    const served = await api.fetch(new URL(url).pathname);
    expect([served.status, served.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
    const etag = served.headers.get('etag') ?? '';
    const known = await api.fetch(new URL(url).pathname, { headers: { 'if-none-match': etag } });
    expect(known.status).toBe(304);

    const pair = [await file('dark.webp', await plain(9, 9).webp().toBuffer()), 'https://golf.example/w.svg'];
    await ops(
      'va update --logo-dark',
      pair[0] ?? '',
      '--logo-white',
      pair[1] ?? '',
      '--logo',
      '',
      '--va',
      'Golf Air',
    );
    expect(await partner()).toMatchObject({
      logoDark: expect.stringContaining('/logos/'),
      logoWhite: 'https://golf.example/w.svg',
    });
    for (const gone of [new URL(url).pathname, '/logos/none'])
      expect((await api.fetch(gone)).status).toBe(404);

    const wrong = [
      await file('text.png', Buffer.from('no picture')),
      await file('drawing.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      await file('large.png', Buffer.concat([png, Buffer.alloc(524_288)])),
      join(folder, 'missing.png'),
      folder,
    ];
    for (const given of wrong) {
      const { status, err } = await ops('va update --va', 'Golf Air', '--logo', given);
      expect([given, status, err.includes(given)]).toEqual([given, 2, true]);
    }
  });

  test('A deletion ends memberships and removes the airline’s rows; its admin has no airline, its members none active', async () => {
    const [admin, member] = [await api.user(), await api.user()];
    const document = join(folder, 'one.png');
    await ops('va create --library-quota-mb 5 --name', 'Hotel Air', '--logo', document);
    await ops(`va admin add --scope VA_ONLY --email ${admin.email} --va`, 'Hotel Air');
    await ops(`va member add --active --email ${member.email} --va`, 'Hotel Air');
    const id = await newChecklist(api, admin, { isVA: true, shareCommunity: true });
    const fleet = fleetCalls(api);
    for (const [registration, base] of [
      ['D-AVAA', '787-9'],
      ['D-AVAB', 'D-AVAA'],
    ] as const)
      dataOf(await fleet.save(admin, registration, base, { weight: { mslw: 190_000 } }, { isVA: true }));
    await ops('library put --owner system --name manual.png --file', document);
    expect(
      (await ops('library put --owner va --name manual.png --file', document, '--va', 'Hotel Air')).err,
    ).toBe('');
    const shown = await ops('va show --json --va', 'Hotel Air');
    expect(shown.json['va']).toMatchObject({
      members: 2,
      admins: 1,
      checklists: 1,
      fleetProfiles: 2,
      libraryBytes: (await stat(document)).size,
    });
    const { db } = api.context.postgres;
    const keys = await db.any(sql`
      SELECT storage_key AS key FROM fleet_profile WHERE va_id IS NOT NULL
      UNION SELECT storage_key FROM library_file f JOIN library_space s ON s.id = f.space_id WHERE s.va_id IS NOT NULL`);
    expect(keys.length).toBe(3);
    const { json } = await ops('va delete --json --va', 'hotel air');
    expect(json).toMatchObject({ ok: true, name: 'Hotel Air' });
    expect(await person(member)).toMatchObject({ activeVa: null, vaMemberships: [] });
    expect((await person(admin))['vaAdmin']).toEqual({ scope: 'VA_ONLY', vaName: null });
    expect((await fleet.list(member)).vaFleet).toEqual([]);
    const get = await api.call('checklistGet', { token: admin.token, data: { checklistId: id } });
    expect(refusal(get)).toEqual([404, 'NOT_FOUND']);
    // The sweep deletes the files of deleted rows, a job the library files.
    const left = await db.any(sql`
      SELECT key FROM file_write UNION
      SELECT jsonb_array_elements_text(data -> 'keys') FROM pgboss.job WHERE name = 'file.delete'`);
    expect(left).toEqual(expect.arrayContaining(keys));
    const unused = await db.any(sql`
      SELECT 1 FROM va_logo l WHERE NOT EXISTS (
        SELECT FROM virtual_airline v WHERE 'logos/' || l.id IN (v.logo, v.logo_dark, v.logo_white))`);
    expect(unused).toEqual([]);
  });
});
