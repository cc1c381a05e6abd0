import PostalMime from 'postal-mime';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '#store/postgres/sql.ts';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { at, refusal } from '#test/support/answers.ts';
import { planOf } from '#test/support/plans.ts';
import { allLogged } from '#test/support/request-log.ts';

let api: TestApi;
let captain: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi({ env: { WEB_BASE_URL: 'https://efb.example/web' } });
  captain = await api.user({ firstname: 'Ada', lastname: 'Lovelace' });
});
afterAll(() => api.close());
beforeEach(async () => {
  ofpId = await planOf(api, captain);
});

const share = (fields: Record<string, unknown> = {}, { token } = captain) =>
  api.call('ofpShare', { token, data: { ofpId, ...fields } });
const shared = async (fields: Record<string, unknown> = {}): Promise<Record<string, unknown>> =>
  (await share(fields)).body['share'] as Record<string, unknown>;
const mailTo = (email: string) =>
  api.context.postgres.db.any<{ subject: string; text: string; html: string; isSecret: boolean }>(sql`
    SELECT subject, body_text AS text, body_html AS html, is_secret FROM outgoing_mail
    WHERE recipient = ${email}`);

describe('ofpShare', () => {
  test('The answer has the whole share with token, code and links, by default with view permission and no expiry (M-2.6.f1, M-2.6.f2, M-2.6.f3, M-2.6.f4, M-2.6.f5, M-2.6.f6, M-2.6.f7, M-2.6.f8, M-2.6.f9, M-2.6.f10, M-2.6.f11, M-2.6.f12, M-2.6.f13, M-2.6.f14, M-2.6.f15, M-2.6.f16, M-2.6.3, M-2.6.5, M-4.5.q1b, M-4.5.q1d, M-8.10, M-2.1.6)', async () => {
    const { status, body } = await share({ expiresInDays: null, permission: null, sharedWithEmail: null });
    const { shareToken, shareCode, id } = body['share'] as Record<string, unknown>;
    expect(shareToken).toMatch(/^[\w-]{48}$/);
    expect(shareCode).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        apiVersion: '1.3.6',
        share: {
          id: expect.any(Number),
          revision: expect.any(Number),
          ownerUserId: captain.id,
          ofpId,
          sharedWithUserId: null,
          sharedWithEmail: null,
          permission: 'view',
          status: 'pending',
          shareCode,
          createdAt: '2026-09-16 12:00:00',
          acceptedAt: null,
          revokedAt: null,
          expiresAt: null,
          shareToken,
          shareUrl: `https://efb.example/web/share?t=${String(shareToken)}`,
          deepLink: `app://share/${String(shareToken)}`,
          qrPayload: `app://share/${String(shareToken)}`,
        },
      },
    ]);
    expect(Number.isInteger(id)).toBe(true);
    expect(await shared({ permission: 'edit', expiresInDays: 2 })).toMatchObject({
      permission: 'edit',
      expiresAt: '2026-09-18 12:00:00',
    });
    expect(await shared({ expiresInDays: 365 })).toMatchObject({ expiresAt: '2027-09-16 12:00:00' });
  });

  test('In 200 shares codes and tokens differ, and codes use every character except I, O, 0 and 1 (M-2.6.f17)', async () => {
    const { newShareSecrets } = await import('#store/auth/secrets.ts');
    const secrets = Array.from({ length: 200 }, () => newShareSecrets(['k'.repeat(32)]));
    for (const { code } of secrets) expect(code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/);
    expect(new Set(secrets.map(({ code }) => code)).size).toBe(200);
    expect(new Set(secrets.map(({ token }) => token)).size).toBe(200);
    expect(new Set(secrets.flatMap(({ code }) => code.split(''))).size).toBe(32);
  });

  test('An address without an account is invited by mail with link and code, and the mail is erased once sent (M-2.6.1, M-4.5.q1c)', async () => {
    const email = 'New.Pilot@example.org';
    const { shareUrl, shareCode, ...rest } = await shared({
      sharedWithEmail: email,
      permission: 'edit',
      expiresInDays: 1,
    });
    expect(rest).toMatchObject({ sharedWithUserId: null, sharedWithEmail: email, status: 'pending' });
    const [mail, ...more] = await mailTo(email);
    expect([mail?.subject, mail?.isSecret, more]).toEqual([
      'A flight plan has been shared with you',
      true,
      [],
    ]);
    for (const text of [mail?.text, mail?.html]) {
      expect(text).toContain(String(shareUrl));
      expect(text).toContain(String(shareCode));
      expect(text).toMatch(
        /Ada Lovelace shares the flight plan .*EDDF-KJFK.* with you\. You can view it and change/,
      );
      expect(text).toContain('expires on 2026-09-17 12:00:00 UTC');
    }
    const { html } = await PostalMime.parse(`Content-Type: text/html\n\n${mail?.html ?? ''}`);
    expect(html).toContain('<a href="https://efb.example/web/share?t=');
  });

  test('The answer does not reveal whether an address has an account, and without an address no mail is sent', async () => {
    const fo = await api.user();
    const count = () =>
      api.context.postgres.db.one<{ mails: number }>(sql`SELECT count(*) AS mails FROM outgoing_mail`);
    const before = await count();
    await shared();
    expect(await count()).toEqual(before);
    const [known, unknown] = [fo.email.toUpperCase(), 'unknown@example.org'];
    for (const sharedWithEmail of [known, unknown]) {
      const issued = await shared({ sharedWithEmail });
      expect(issued).toMatchObject({ sharedWithUserId: null, sharedWithEmail, status: 'pending' });
    }
    expect((await count()).mails).toBe(before.mails + 2);
  });

  test('Names in the mail are plain text on one line, without markup or links', async () => {
    const owner = await api.user({ firstname: '<b>Eve</b>' });
    const plan = await planOf(api, owner, 'See https://evil.example\r\nnow <i>');
    await share({ ofpId: plan, sharedWithEmail: 'target@example.org' }, owner);
    const [mail] = await mailTo('target@example.org');
    expect(mail?.html).not.toMatch(/<b>Eve|<i>|https:\/\/evil/);
    expect(mail?.text).not.toMatch(/https:\/\/evil|evil\.example|\r/);
    expect(mail?.text).toContain('evil. example now');
  });

  test('Only the owner shares; strangers, viewers and editors get OFP_NOT_FOUND (M-2.3.4b, M-4.5.q1a, M-7.s3, J-05)', async () => {
    for (const permission of ['view', 'edit']) {
      const fo = await api.user();
      const { shareCode } = await shared({ permission });
      await api.call('ofpShareAccept', { token: fo.token, data: { shareCode } });
      const list = await api.call('flightDataList', { token: fo.token, data: { ofpId } });
      expect(list.status).toBe(200);
      expect(refusal(await share({}, fo))).toEqual([404, 'OFP_NOT_FOUND']);
    }
    expect(refusal(await share({}, await api.user()))).toEqual([404, 'OFP_NOT_FOUND']);
    expect(refusal(await share({ ofpId: 'OFP-NONE' }))).toEqual([404, 'OFP_NOT_FOUND']);
  });

  test('Every input error has its code (M-4.5.q1b, M-4.5.q1c, M-4.5.q1d, M-7.s2, M-7.s4, M-7.s5, M-7.s6)', async () => {
    const cases: [string, Record<string, unknown>][] = [
      ['INVALID_OFP_ID', { ofpId: undefined }],
      ['INVALID_OFP_ID', { ofpId: '../x', permission: 'x' }],
      ['INVALID_PERMISSION', { permission: 'x' }],
      ['INVALID_PERMISSION', { permission: 'VIEW' }],
      ['INVALID_PERMISSION', { permission: 1 }],
      ['INVALID_EMAIL', { sharedWithEmail: 'no address' }],
      ['INVALID_EMAIL', { sharedWithEmail: '' }],
      ['INVALID_EMAIL', { sharedWithEmail: ['a@example.org'] }],
      ['INVALID_EMAIL', { sharedWithEmail: `${'a'.repeat(250)}@example.org` }],
      ['INVALID_EXPIRY', { expiresInDays: 0 }],
      ['INVALID_EXPIRY', { expiresInDays: 366 }],
      ['INVALID_EXPIRY', { expiresInDays: 1.5 }],
      ['INVALID_EXPIRY', { expiresInDays: '2' }],
    ];
    for (const [code, fields] of cases)
      expect([fields, ...refusal(await share(fields))]).toEqual([fields, 400, code]);
  });

  test('The user’s own address is refused, and nothing is stored or mailed (M-7.s7)', async () => {
    const sharedWithEmail = captain.email.toUpperCase();
    expect(refusal(await share({ sharedWithEmail }))).toEqual([400, 'INVALID_SHARE_TARGET']);
    const list = await api.call('ofpShareList', { token: captain.token, data: { ofpId } });
    expect(at(list, 'issued')).toEqual([]);
    expect(await mailTo(sharedWithEmail)).toEqual([]);
  });

  test('A call without a token is refused (M-7.s1)', async () => {
    expect(refusal(await api.call('ofpShare', { data: { ofpId } }))).toEqual([401, 'AUTH_REQUIRED']);
  });

  test('Token and code are stored in no table as plain text and in no log', async () => {
    const { shareToken, shareCode, id } = await shared();
    await api.call('ofpShareList', { token: captain.token, data: {} });
    const { token } = await api.user();
    await api.call('ofpShareAccept', { token, data: { shareToken } });
    await api.running.services.requestLog.flush();
    const row = await api.context.postgres.db.one<{ row: string }>(sql`
      SELECT to_jsonb(s)::text || encode(sealed, 'escape') AS row FROM ofp_share s WHERE id = ${id}`);
    const logged = JSON.stringify(await allLogged(api.context.postgres.db));
    expect(logged).toContain('ofpShareAccept');
    for (const secret of [String(shareToken), String(shareCode)]) {
      expect(row.row).not.toContain(secret);
      expect(logged).not.toContain(secret);
    }
  });
});
