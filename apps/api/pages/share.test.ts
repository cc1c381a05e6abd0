import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testApi } from '#test/api.ts';
import type { TestApi, TestUser } from '#test/api.ts';
import { planOf } from '#test/support/plans.ts';
import { runSql } from '#test/support/sql.ts';

let api: TestApi;
let captain: TestUser;
let ofpId: string;
beforeAll(async () => {
  api = await testApi();
  captain = await api.user();
  ofpId = await planOf(api, captain, 'EDDF-<b>KJFK</b>');
});
afterAll(() => api.close());

const issue = async (fields: Record<string, unknown> = {}): Promise<Record<string, string>> => {
  const answer = await api.call('ofpShare', { token: captain.token, data: { ofpId, ...fields } });
  return answer.body['share'] as Record<string, string>;
};
const open = async (query: string) => {
  const response = await api.fetch(`/share${query}`);
  return { status: response.status, headers: response.headers, html: await response.text() };
};

describe('the page of a share', () => {
  test('The link of a share opens it: plan, right, link into the app and code; opening accepts nothing (M-2.6.f14, M-2.6.f15)', async () => {
    const share = await issue({ permission: 'edit', expiresInDays: 2 });
    const { pathname, search } = new URL(share['shareUrl'] ?? '');
    expect(pathname).toBe('/share');
    const { status, html } = await open(search);
    expect(status).toBe(200);
    expect(html).toContain(`href="${share['deepLink']}"`);
    expect(html).toContain(`<meta http-equiv="refresh" content="0;url=${share['deepLink']}">`);
    expect(html).toContain(`<code>${share['shareCode']}</code>`);
    expect(html).toContain('You can view it and change its flight data.');
    expect(html).toContain('EDDF-&#60;b&#62;KJFK&#60;/b&#62;');
    expect(html).toContain('expires on 2026-09-18 12:00 UTC');
    const list = await api.call('ofpShareList', { token: captain.token, data: {} });
    expect(list.body['issued']).toContainEqual(
      expect.objectContaining({ id: share['id'], status: 'pending' }),
    );
    const view = await open(`?t=${(await issue())['shareToken']}`);
    expect(view.html).toContain('You can view it.');
    expect(view.html).not.toContain('expires');
  });

  test('A page without its code shows no field for one; the link still opens the app', async () => {
    const share = await issue();
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET sealed = decode(repeat('00', 84), 'hex') WHERE id = ${share['id']}`;
    const { status, html } = await open(`?t=${share['shareToken']}`);
    expect([status, html.includes(`href="${share['deepLink']}"`)]).toEqual([200, true]);
    expect(html).toContain('Install the app on this device first.');
    expect(html).not.toMatch(/<code>|enter this code/);
  });

  test('Its policy allows only its style; nothing is kept or passed on', async () => {
    const { headers, html } = await open(`?t=${(await issue())['shareToken']}`);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'nonce-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(html).not.toMatch(/<script|\son\w+=|src=/i);
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ]);
  });

  test('A link that cannot be used says why, without a way into the app (M-2.6.2)', async () => {
    const [revoked, expired, orphaned] = [await issue(), await issue({ expiresInDays: 1 }), await issue()];
    await api.call('ofpShareRevoke', { token: captain.token, data: { id: revoked['id'] } });
    await runSql(
      api.context.postgres,
    )`UPDATE ofp_share SET ofp_id = 'OFP-DELETED' WHERE id = ${orphaned['id']}`;
    api.context.clock.advance(86_400);
    for (const [query, status, text] of [
      ['', 400, 'incomplete'],
      ['?t=', 400, 'incomplete'],
      [`?t=${expired['shareToken']?.slice(0, 40)}`, 400, 'incomplete'],
      [`?t=${'x'.repeat(48)}`, 404, 'does not exist'],
      [
        '?t=%22%3E%3Cscript%3Ealert(1)%3C/script%3E%3Cimg%20src=x%20onerror=alert(2)%3E',
        404,
        'does not exist',
      ],
      [`?t=${revoked['shareToken']}`, 410, 'has been revoked'],
      [`?t=${expired['shareToken']}`, 410, 'has expired'],
      [`?t=${orphaned['shareToken']}`, 404, 'does not exist'],
    ] as const) {
      const answer = await open(query);
      expect([query, answer.status]).toEqual([query, status]);
      expect(answer.html).toMatch(new RegExp(`role="alert">[^<]*${text}`));
      expect(answer.html).not.toMatch(/app:\/\/|<script|<img|refresh/);
    }
    api.context.clock.advance(-86_400);
  });
});
