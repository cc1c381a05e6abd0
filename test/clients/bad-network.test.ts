/** A small campaign of `npm run bench -- bad-network`, and its judge, which must detect each kind of error. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestApi } from '#test/api.ts';
import { testFolder } from '#test/harness.ts';
import { clientScene } from '#test/support/client-scene.ts';
import { isDeep } from '#test/support/deep.ts';
import type { Made } from '../bench/bad-network/book.ts';
import { runCampaign } from '../bench/bad-network/campaign.ts';
import type { State } from '../bench/bad-network/history.ts';
import { judge } from '../bench/bad-network/judge.ts';

const edits = isDeep ? 150 : 75;
const kills = isDeep ? 4 : 2;

describe('three pads on a bad network', () => {
  let api: TestApi;
  let devKey: string;
  beforeAll(async () => {
    ({ api, devKey } = await clientScene());
  });
  afterAll(() => api.close());

  test('Pads killed repeatedly and with wrong clocks lose or duplicate no edit, raise no error, and show the state of the service', async () => {
    const pilots = await Promise.all(
      ['first', 'second'].map(async () => {
        const user = await api.user();
        await api.grant(user, 'EFB_COMMERCIAL_Y');
        return { userId: user.id, token: user.token };
      }),
    );
    const [first, second] = pilots;
    if (!first || !second) throw new Error('There are no pilots.');
    const seed = process.env['BAD_NETWORK_SEED'] ?? '1';
    const ending = await runCampaign({
      url: api.url,
      postgres: api.context.postgres,
      pilots: [first, second],
      devKey,
      folder: join(await testFolder(), 'pads'),
      edits,
      kills,
      seed,
    });
    expect({ seed, ...ending }).toMatchObject({
      edits,
      kills,
      crashes: [],
      lost: [],
      forgotten: [],
      twice: [],
      raised: [],
      different: [],
    });
    expect(ending.acknowledged).toBeGreaterThan((2 / 3) * edits);
    expect(ending.network.size).toBeGreaterThan(8);
  }, 1_200_000);
});

describe('the judge of a campaign', () => {
  const made = (overs: Made['overs'], more: Partial<Made> = {}): Made => ({
    row: 'r',
    action: 'put',
    overs,
    end: 'acked',
    ...more,
  });
  const states = (kind: State['kind'], ...marks: State['marks'][]): State[] =>
    marks.map((each) => ({ kind, row: 'r', marks: each }));
  const nothing = { lost: [], twice: [], raised: [], forgotten: [] };
  const removal = (seen: string[]): [string, Made] => ['gone', made([seen], { action: 'remove' })];

  test.each<[string, [string, Made][], State[], object]>([
    [
      'all is well',
      [
        ['a', made([null])],
        ['b', made([['a']])],
      ],
      states('fleet', ['a'], ['b']),
      nothing,
    ],
    [
      'a value was replaced unseen',
      [
        ['a', made([null])],
        ['b', made([null])],
      ],
      states('fleet', ['a'], ['b']),
      { ...nothing, lost: ['a'] },
    ],
    [
      'an entry has vanished',
      [
        ['a', made([null])],
        ['b', made([null])],
      ],
      states('checklist', ['a'], ['b']),
      { ...nothing, lost: ['a'] },
    ],
    ['what was acknowledged never came', [['a', made([null])]], [], { ...nothing, lost: ['a'] }],
    ['an edit has no end', [['a', made([null], { end: null })]], [], { ...nothing, forgotten: ['a'] }],
    [
      'an edit is there twice',
      [['a', made([null])]],
      states('flightData', ['a', 'a']),
      { ...nothing, twice: ['a'] },
    ],
    [
      'a row was made twice',
      [['a', made([null])]],
      [...states('folder', ['a']), { kind: 'folder', row: 's', marks: ['a'] }],
      { ...nothing, twice: ['a'] },
    ],
    ['a deletion was seen', [['a', made([null])], removal(['a'])], states('fleet', ['a'], null), nothing],
    [
      'a deletion took more than was seen',
      [['a', made([null])], ['b', made([['a']])], removal(['a'])],
      states('checklist', ['a'], ['a', 'b'], null),
      { ...nothing, lost: ['a', 'b'] },
    ],
    [
      'the dead were raised',
      [['a', made([null])], ['b', made([['a']])], removal(['a'])],
      states('fleet', ['a'], null, ['b']),
      { ...nothing, raised: ['b'] },
    ],
    [
      'what is gone was made again',
      [['a', made([null])], ['b', made([null])], removal(['a'])],
      states('fleet', ['a'], null, ['b']),
      nothing,
    ],
  ])('The judge finds that %s', (_, ledger, history, expected) => {
    expect(judge(new Map(ledger), history)).toMatchObject(expected);
  });
});
