/**
 * Generated inputs to every query, valid and invalid: never a 5xx, and every answer matches its published schema or is a
 * documented error in its form. Four for each query; 1,000 with `npm run test:deep`.
 */
import { assert, asyncProperty, constantFrom, nat, oneof, record, uint8Array } from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inputSchemaOf } from '#api/reference/schemas.ts';
import { loadRegistries } from '#api/registry.ts';
import type { Registered } from '#api/registry.ts';
import { isDeep } from '../support/deep.ts';
import { outdatedIn } from '../support/examples.ts';
import { mutated } from '../support/fuzz/mutate.ts';
import { fuzzScene } from '../support/fuzz/scene.ts';
import type { FuzzScene } from '../support/fuzz/scene.ts';
import { exampleCall, inOrder, removes, sendCall } from '../support/fuzz/send.ts';
import type { Call, Caller, File } from '../support/fuzz/send.ts';
import { valuesOf } from '../support/fuzz/valid.ts';
import { publishedBy } from '../support/published.ts';

const numRuns = isDeep ? 1_000 : 4;
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_916);
/** Calls after which removed things are created again. */
const renewEach = 50;

const { operations } = (await loadRegistries()).queries;
const ordered = inOrder(operations);

/** Always refused, needs the token of a mail, refused to who already pays by card. */
const neverSucceed = ['changePlan', 'deviceConfirm', 'deviceToken', 'resetPassword', 'walletToCardMigration'];

/** Their examples are refused, too. */
const needLuck = ['applyDiscountCode', 'checklistRate', 'flightDataSave', 'getCheckoutUrl'];

let scene: FuzzScene;
const successes = new Set<string>();

beforeAll(async () => {
  scene = await fuzzScene();
});
afterAll(() => scene.close());

/** Problems of an answer; none for a success that fits its schema or a documented error. */
const problemsOf = async ({ name }: Registered, status: number, body: Record<string, unknown>) => {
  if (status === 200 && !('Error' in body)) successes.add(name);
  const { problems } = await publishedBy(scene.api.url);
  return [...(status >= 500 ? [`status ${status}`] : []), ...problems(name, status, body)];
};

const callsOf = (operation: Registered) => {
  const known = scene.known(operation.name);
  const schema = inputSchemaOf(operation);
  const example = exampleCall(scene, operation);
  const files: File[] = ['picture', 'cut picture', 'bytes', 'empty', 'none', 'none'];
  return {
    example,
    calls: record<Call>({
      data: mutated(
        oneof(
          valuesOf(schema, known),
          nat(0).map(() => example.data),
        ),
      ),
      caller: constantFrom<Caller>(
        'owner',
        'owner',
        'owner',
        'owner',
        'owner',
        'stranger',
        'nobody',
        'no key',
      ),
      file: constantFrom<File>(...(operation.upload ? files : (['none'] as const))),
      bytes: uint8Array({ maxLength: 200 }) as never,
    }),
  };
};

describe.each(ordered.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  test(
    'Every generated input gets the published answer or a documented error',
    { timeout: 1_200_000 },
    async () => {
      if (removes(operation)) await scene.renew();
      const { example, calls } = callsOf(operation);
      let count = 0;
      const outdated: string[] = [];
      await assert(
        asyncProperty(calls, async (call) => {
          count += 1;
          if (removes(operation) && count % renewEach === 0) await scene.renew();
          const response = await sendCall(scene, operation, call);
          const text = await response.text();
          // The first call is the declared example.
          if (count === 1 && response.status === 200)
            outdated.push(...outdatedIn(name, JSON.parse(text) as Record<string, unknown>));
          const problems = await problemsOf(
            operation,
            response.status,
            JSON.parse(text) as Record<string, unknown>,
          );
          const failures = scene.failures();
          const said = problems.length > 0 ? `${text.slice(0, 300)}\n${failures}` : '';
          expect([problems, said]).toEqual([[], '']);
          expect(text).not.toMatch(/node_modules|\.ts:\d+|TypeError|syntax error/);
          expect(response.headers.get('x-svc-log-id')).toMatch(/^\d+$/);
        }),
        { numRuns, seed, examples: [[example]] },
      );
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(outdated).toEqual([]);
    },
  );
});

test('Queries have succeeded, except those that cannot and, with few inputs, those that need luck', () => {
  const refused = ordered.map(({ name }) => name).filter((name) => !successes.has(name));
  expect(refused.filter((name) => isDeep || !needLuck.includes(name)).sort()).toEqual(neverSucceed);
});
