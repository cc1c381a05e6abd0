/** Sequences of events for the subscriptions of one account, as data: drawn from a seed, printed, shortened. */

export const plans = [
  'EFB_LITE_M',
  'EFB_LITE_M',
  'EFB_STANDARD_M',
  'EFB_STANDARD_M',
  'EFB_PRO_M',
  'EFB_PRO_M',
  'EFB_LITE_Y',
  'EFB_STANDARD_Y',
  'EFB_PRO_Y',
] as const;

export type Paying = 'card' | 'wallet';

export type Step =
  | { do: 'pass'; hours: number }
  | { do: 'buy'; at: Paying; plan: string }
  | { do: 'pause' | 'resume' | 'cancel' | 'renewalOn' | 'renewalOff'; nth: number }
  | { do: 'change plan'; nth: number; plan: string }
  | { do: 'refund'; nth: number; isWhole: boolean }
  | { do: 'move to card'; nth: number; plan: string }
  | { do: 'card is declined' | 'card is accepted'; nth: number }
  | { do: 'cancel at gateway' | 'renew at gateway'; nth: number }
  | {
      do: 'gateway is';
      at: Paying;
      mode: 'ok' | 'down' | 'twice' | 'wrong' | 'never' | 'refusing' | 'lagging';
    }
  | { do: 'next messages are'; how: 'lost' | 'doubled' | 'late' | 'reversed'; count: number }
  | { do: 'operator cancels' | 'operator ends'; nth: number }
  | { do: 'operator adds days'; nth: number; days: number }
  | { do: 'operator disables' | 'operator deletes' | 'user deletes' };

/** Mulberry32: the same numbers for the same seed everywhere. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

type Draw = (random: Random) => Step;

interface Random {
  below: (count: number) => number;
  of: <T>(list: readonly T[]) => T;
}

const nth = (random: Random): number => random.below(3);

/** With their weights. */
const draws: readonly (readonly [number, Draw])[] = [
  [6, (random) => ({ do: 'pass', hours: random.of([1, 24, 100, 300, 500, 760, 1_500]) })],
  [2, (random) => ({ do: 'buy', at: random.of(['card', 'wallet']), plan: random.of(plans) })],
  [3, (random) => ({ do: 'cancel', nth: nth(random) })],
  [2, (random) => ({ do: random.of(['pause', 'resume']), nth: nth(random) })],
  [2, (random) => ({ do: random.of(['renewalOn', 'renewalOff']), nth: nth(random) })],
  [4, (random) => ({ do: 'change plan', nth: nth(random), plan: random.of(plans) })],
  [2, (random) => ({ do: 'refund', nth: nth(random), isWhole: random.below(2) === 0 })],
  [1, (random) => ({ do: 'move to card', nth: nth(random), plan: random.of(plans) })],
  [2, (random) => ({ do: random.of(['card is declined', 'card is accepted']), nth: nth(random) })],
  [1, (random) => ({ do: random.of(['cancel at gateway', 'renew at gateway']), nth: nth(random) })],
  [
    3,
    (random) => ({
      do: 'gateway is',
      at: random.of(['card', 'wallet']),
      mode: random.of(['ok', 'ok', 'down', 'twice', 'wrong', 'never', 'refusing', 'lagging']),
    }),
  ],
  [
    2,
    (random) => ({
      do: 'next messages are',
      how: random.of(['lost', 'doubled', 'late', 'reversed']),
      count: 1 + random.below(4),
    }),
  ],
  [1, (random) => ({ do: random.of(['operator cancels', 'operator ends']), nth: nth(random) })],
  [1, (random) => ({ do: 'operator adds days', nth: nth(random), days: 1 + random.below(40) })],
  [
    1,
    (random) => ({
      do: random.of(['operator disables', 'operator deletes', 'user deletes', 'user deletes']),
    }),
  ],
];

const weights = draws.reduce((sum, [weight]) => sum + weight, 0);

const drawn = (random: Random): Step => {
  let at = random.below(weights);
  for (const [weight, draw] of draws) {
    if (at < weight) return draw(random);
    at -= weight;
  }
  throw new Error('the weights do not add up');
};

/** A purchase followed by 3 to 10 events. */
export const stepsOf = (seed: number): Step[] => {
  const next = randomOf(seed);
  const random: Random = {
    below: (count) => Math.floor(next() * count),
    of: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
  };
  const first: Step = { do: 'buy', at: random.of(['card', 'card', 'wallet']), plan: random.of(plans) };
  return [first, ...Array.from({ length: 3 + random.below(8) }, () => drawn(random))];
};

/** One line per step. */
export const written = (steps: readonly Step[]): string =>
  steps.map((step) => `  ${JSON.stringify(step)},`).join('\n');
