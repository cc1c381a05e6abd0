/**
 * Properties of every signed action and webhook, derived from the declarations: the same as
 * test/http/{registry,fuzz,authorisation} require of queries.
 */
import { assert, asyncProperty, nat, oneof } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordedExample } from '#api/reference/examples.ts';
import { inputSchemaOf } from '#api/reference/schemas.ts';
import { webhookPath } from '#api/webhooks/webhooks.ts';
import type { Webhook } from '#api/webhooks/webhooks.ts';
import { loadRegistries } from '#api/registry.ts';
import type { Registered } from '#api/registry.ts';
import { sql } from '#store/postgres/sql.ts';
import type { Answer } from '../api.ts';
import { mutated } from '../support/fuzz/mutate.ts';
import { isRecord, valuesOf, withKnown } from '../support/fuzz/valid.ts';
import type { Known } from '../support/fuzz/valid.ts';
import { publishedBy } from '../support/published.ts';
import { codeOf, subscriptionScene } from '../support/subscriptions.ts';
import type { Subscribed, SubscriptionScene } from '../support/subscriptions.ts';
import { signerOf } from '../support/signed.ts';
import type { Signer } from '../support/signed.ts';

const { actions, webhooks } = await loadRegistries();
const paths = webhooks.operations.map((each) => webhookPath((each as unknown as Webhook).webhook));
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_916);

let scene: SubscriptionScene;
let owner: Subscribed;
let stranger: Signer;
let known: Known;

beforeAll(async () => {
  scene = await subscriptionScene();
  owner = await scene.subscribe();
  const other = await scene.subscribe({ user: owner.user, gateway: 'wallet' });
  stranger = await signerOf(scene.api, await scene.api.user());
  known = {
    subscription_id: [owner.id, other.id],
    target_pcode: ['EFB_COMMERCIAL_Y'],
  };
});
afterAll(() => scene.close());

/** The fields that were recorded with an answer, without their token. */
const exampleOf = ({ name }: Registered): Record<string, unknown> => {
  const { confirmation_token: _, ...fields } = recordedExample(name)?.request ?? {};
  return fields;
};

/** Signed and, where it changes something, confirmed; an hour after the last one, so that no limit is reached. */
const send = ({ name, method, changesState }: Registered, data: unknown, signer: Signer): Promise<Answer> => {
  scene.api.context.clock.advance(3_600);
  const fields = isRecord(data) ? data : {};
  const inUrl = Object.entries(fields).map(([key, value]) => [
    key,
    isRecord(value) ? JSON.stringify(value) : value,
  ]);
  return changesState
    ? signer.change(name, fields)
    : signer.call(name, { method: method ?? 'GET', data: Object.fromEntries(inUrl) });
};

const problemsOf = async (action: Registered, { status, body }: Answer): Promise<string[]> => {
  const { problems } = await publishedBy(scene.api.url);
  return [...(status >= 500 ? [`status ${status}`] : []), ...problems(action.name, status, body)];
};

const traces = /node_modules|\.ts:\d+|TypeError|syntax error/;

describe.each(actions.operations.map((action) => [action.name, action] as const))('%s', (name, action) => {
  test('An action declares its sections, its summary and a valid recorded example', () => {
    expect(action.spec.length).toBeGreaterThan(0);
    expect(action.summary).toMatch(/\.$/);
    expect(action.input.safeParse(exampleOf(action)).error?.issues).toBeUndefined();
  });

  test('Generated inputs get the published answer or a documented error', async () => {
    const example = withKnown(exampleOf(action), known);
    const inputs = mutated(
      oneof(
        valuesOf(inputSchemaOf(action), known),
        nat(0).map(() => example),
      ),
    );
    await assert(
      asyncProperty(inputs, async (data) => {
        const answer = await send(action, data, owner.signed);
        expect([data, await problemsOf(action, answer)]).toEqual([data, []]);
        expect(JSON.stringify(answer.body)).not.toMatch(traces);
        expect(answer.headers.get('x-svc-log-id')).toMatch(/^\d+$/);
      }),
      { numRuns: 8, seed, examples: [[example]] },
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test('A body that is not an object is never a 5xx', async () => {
    for (const data of [null, [], 'text', 7, { confirmation_token: {} }]) {
      const answer = await owner.signed.call(name, { method: 'POST', data: data as Record<string, unknown> });
      expect([data, answer.status]).toEqual([data, expect.toBeOneOf([400, 401, 403, 404, 405, 409, 429])]);
    }
  });

  test('An action without a signature, with the signature of another action or with another user’s token is refused', async () => {
    const data = withKnown(exampleOf(action), known) as Record<string, unknown>;
    const method = action.method ?? 'GET';
    const unsigned = await owner.signed.call(name, { method, data, headers: { 'x-signature': null } });
    expect(codeOf(unsigned)).toEqual([400, 'MISSING_HEADER']);
    const forged = await owner.signed.call(name, {
      method,
      data,
      headers: { 'x-signature': 'a'.repeat(64) },
    });
    expect(codeOf(forged)).toEqual([401, 'INVALID_SIGNATURE']);
    if (!action.changesState) return;
    const id = typeof data['subscription_id'] === 'number' ? data['subscription_id'] : null;
    const token = stranger.token(name, id);
    scene.api.context.clock.advance(3_600);
    const foreign = await owner.signed.call(name, { method, data: { ...data, confirmation_token: token } });
    expect(codeOf(foreign)[1]).toMatch(/^CONFIRMATION_/);
  });

  test('A stranger learns nothing about another user’s subscription', async () => {
    const { subscription_id: id, ...others } = withKnown(exampleOf(action), known) as Record<string, unknown>;
    const { status, body } = await send(action, { ...others, subscription_id: id }, stranger);
    const isAboutOne = !action.input.safeParse(others).success;
    expect(isAboutOne && status === 200).toBe(false);
    expect(JSON.stringify(body)).not.toContain(owner.reference);
    expect(JSON.stringify(body)).not.toContain(owner.user.email);
  });
});

describe.each(paths.map((path, i) => [path, webhooks.operations[i] as Registered] as const))(
  '%s',
  (path, webhook) => {
    const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
      scene.api.fetch(path, { method: 'POST', body, headers: { 'content-type': type } });

    test('A webhook declares its sections and its summary, and answers the probe of a control panel', async () => {
      expect([webhook.spec.length > 0, webhook.summary.endsWith('.')]).toEqual([true, true]);
      expect((await scene.api.fetch(path)).status).toBe(200);
    });

    test('Hostile bytes are refused with a documented error and stored nowhere', async () => {
      const bodies: readonly [string | Uint8Array<ArrayBuffer>, string?][] = [
        [''],
        ['{}'],
        ['[]'],
        ['{"__proto__":{"polluted":1}}'],
        ['not JSON'],
        [new Uint8Array([0xff, 0xfe, 0x00, 0xed, 0xa0, 0x80])],
        ['a=1&a=2&%00=%ff&HASH[]=x', 'application/x-www-form-urlencoded'],
        ['{"signedPayload":"eyJhbGciOiJub25lIn0.e30."}'],
        ['[['.repeat(20_000)],
      ];
      for (const [body, type] of bodies) {
        const response = await post(body, type);
        const sent = body.toString().slice(0, 40);
        expect([sent, response.status]).toEqual([sent, expect.toBeOneOf([400, 401, 403, 503])]);
        expect(await response.text()).not.toMatch(traces);
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      const { count } = await scene.api.context.postgres.db.one<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM gateway_event`,
      );
      expect(count).toBe(0);
    });

    test('A message over the size limit is refused', async () => {
      const response = await post('x'.repeat((webhook.maxBodyBytes ?? 0) + 1));
      // Only the card gateway is configured here.
      expect(path.includes('/card/') ? [413] : [413, 503]).toContain(response.status);
    });
  },
);
