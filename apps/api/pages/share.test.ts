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

describe('the share page', () => {
  test('The link of a share opens its page with plan, permission, app link and code, and accepts nothing (M-2.6.f14, M-2.6.f15)', async () => {
    const share = await issue({ permission: 'edit', expiresInDays: 2 });
    const { pathname, search } = new URL(share['shareUrl'] ?? '');
    expect(pathname).toBe('/share');
    const { status, html } = await open(search);
    expect(status).toBe(200);
    expect(html).toContain(`href="${share['deepLink']}"`);
    // The page is read before the app opens.
    expect(html).not.toContain('http-equiv');
    expect(html).toContain(`<code class="key">${share['shareCode']}</code>`);
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

  test('Anyone with the link sees route, times and fuel, and a key with its own scheme opens its app', async () => {
    const { postgres } = api.context;
    const facts = {
      aircraftIcao: 'A319',
      registration: 'G-EUPT',
      origin: { icao: 'EGLL', iata: 'LHR', name: 'Heathrow', runway: '27R' },
      destination: { icao: 'EDDF', iata: 'FRA', name: null, runway: null },
      route: 'DVR UL9 <KONAN>',
      distanceNm: 402.4,
      cruiseAltitude: 35_000,
      estimatedOff: '2026-09-16T14:40:00Z',
      estimatedOn: null,
      enrouteSeconds: 4_440,
      units: 'kgs',
      fuel: { ramp: 6_812, takeoff: 6_600, trip: 2_911.6, landing: null },
    };
    await runSql(postgres)`UPDATE ofp SET facts = ${JSON.stringify(facts)} WHERE id = ${ofpId}`;
    await runSql(postgres)`
      UPDATE developer_key SET app_scheme = 'myefb'
      WHERE id = (SELECT developer_key_id FROM app_user WHERE id = ${captain.id})`;
    const share = await issue();
    expect([share['deepLink'], share['qrPayload']]).toEqual(
      Array.from({ length: 2 }, () => `myefb://share/${share['shareToken']}`),
    );
    const { html } = await open(`?t=${share['shareToken']}`);
    expect(html).toContain(`href="myefb://share/${share['shareToken']}"`);
    for (const [name, text] of [
      ['From', 'EGLL Heathrow, runway 27R'],
      ['To', 'EDDF'],
      ['Aircraft', 'A319 G-EUPT'],
      ['Route', 'DVR UL9 &#60;KONAN&#62;'],
      ['Distance', '402 NM'],
      ['Cruise', '35,000 ft'],
      ['Takeoff', '2026-09-16 14:40 UTC'],
      ['Enroute', '1 h 14 min'],
      ['Ramp fuel', '6,812 kg'],
      ['Trip fuel', '2,912 kg'],
    ])
      expect(html).toContain(`<dt>${name}</dt><dd>${text}</dd>`);
    expect(html).not.toMatch(/Fuel at landing|<dt>Landing/);
    expect(html).toContain('<nav class="top"');
    await runSql(postgres)`UPDATE ofp SET facts = '{}' WHERE id = ${ofpId}`;
    await runSql(postgres)`UPDATE developer_key SET app_scheme = NULL`;
  });

  test('A page without its code has no field for one, and the link still opens the app', async () => {
    const share = await issue();
    await runSql(api.context.postgres)`
      UPDATE ofp_share SET sealed = decode(repeat('00', 84), 'hex') WHERE id = ${share['id']}`;
    const { status, html } = await open(`?t=${share['shareToken']}`);
    expect([status, html.includes(`href="${share['deepLink']}"`)]).toEqual([200, true]);
    expect(html).toContain('Install the app on this device first.');
    expect(html).not.toMatch(/<code|enter this code/);
  });

  test('The page’s policy allows only its own style, and nothing is cached or passed on', async () => {
    const { headers, html } = await open(`?t=${(await issue())['shareToken']}`);
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(html).not.toMatch(/<script|\son\w+=|src=/i);
    expect([headers.get('referrer-policy'), headers.get('cache-control')]).toEqual([
      'no-referrer',
      'no-store',
    ]);
  });

  test('The page of an unusable link gives the reason and does not link to the app (M-2.6.2)', async () => {
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
      expect(answer.html).toMatch(new RegExp(`role="alert"[^>]*>[^<]*${text}`));
      expect(answer.html).not.toMatch(/app:\/\/|<script|<img|refresh/);
    }
    api.context.clock.advance(-86_400);
  });
});
