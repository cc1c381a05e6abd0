import { describe, expect, test } from 'vitest';
import { allowance } from './allowance.ts';
import { entitlementOf } from './entitlement.ts';
import type { GatewayStatus, HeldSubscription, Product } from './entitlement.ts';
import { subscriptionSummary } from './summary.ts';

const product = (code: string, level: number, extra: Partial<Product> = {}): Product => ({
  code,
  title: code,
  level,
  maxCalculation: level * 100,
  allowanceDays: 30,
  libraryQuotaMb: 0,
  storageQuotaMb: 250,
  maxChecklists: 100,
  isNotam: false,
  isNnc: false,
  isMel: false,
  isCdl: false,
  isMostFav: false,
  isBalkedLanding: false,
  isAllIntersections: false,
  isCommercial: false,
  isFleetDatabase: false,
  allowedAirports: [],
  ...extra,
});
const preview = product('PREVIEW', 0, { maxCalculation: 10, allowedAirports: ['KJFK', 'EDDF'] });
const now = new Date('2026-09-16T12:00:00Z');
const held = (
  level: number,
  from: string,
  to: string,
  gatewayStatus: GatewayStatus = 'Running',
): HeldSubscription => ({
  id: level,
  product: product(`L${level}`, level),
  gatewayStatus,
  startsAt: new Date(from),
  endsAt: new Date(to),
});

test('Of two concurrent subscriptions each capability is the better one, whichever lasts longer', () => {
  const year = held(3, '2026-09-01', '2027-09-01');
  const commercial = {
    ...held(3, '2026-09-01', '2026-10-01'),
    id: 4,
    product: product('COMMERCIAL_Y', 3, {
      maxCalculation: 1_000_000,
      libraryQuotaMb: 500,
      isCommercial: true,
    }),
  };
  const limited = {
    ...held(2, '2026-09-01', '2026-10-01'),
    product: product('L2', 2, { allowedAirports: ['EDDF'], isMel: true }),
  };
  const { product: best, subscription } = entitlementOf([year, commercial, limited], preview, now);
  expect([best.code, subscription?.id]).toEqual(['L3', 3]);
  expect(best).toMatchObject({
    maxCalculation: 1_000_000,
    libraryQuotaMb: 500,
    isCommercial: true,
    isMel: true,
    allowedAirports: [],
  });
  expect(entitlementOf([limited], preview, now).product.allowedAirports).toEqual(['EDDF']);
  const ended = { ...commercial, endsAt: now };
  expect(entitlementOf([year, ended], preview, now).product).toMatchObject({
    maxCalculation: 300,
    isCommercial: false,
  });
});

describe('subscription in the user object', () => {
  const shown = (...list: HeldSubscription[]) => subscriptionSummary(entitlementOf(list, preview, now), now);

  test('The highest current level counts', () => {
    expect(
      shown(
        held(1, '2026-09-01', '2027-09-01'),
        held(3, '2026-09-01', '2026-09-20'),
        held(2, '2026-10-01', '2027-01-01'),
      ),
    ).toMatchObject({ title: 'L3', level: 3, status: 'ACTIVE', daysRemaining: 4 });
  });

  test.each([
    ['paused', '2026-10-01', 'ACTIVE_PAUSED', true],
    ['paused', '2026-09-01', 'PAUSED', false],
    ['Cancelled', '2026-10-01', 'CANCELLED', true],
    ['Cancelled', '2026-09-01', 'CANCELLED', false],
    ['Expired', '2026-10-01', 'EXPIRED', false],
    ['Running', '2026-09-01', 'EXPIRED', false],
  ] as const)('%s until %s is %s (M-2.7.s3, M-2.7.s4, M-2.7.s5)', (gatewayStatus, to, status, isActive) => {
    expect(shown(held(2, '2026-08-01', to, gatewayStatus))).toMatchObject({
      status,
      isActive,
      isExpired: !isActive,
      level: isActive ? 2 : 0,
      preview: { active: !isActive, reason: isActive ? null : 'SUBSCRIPTION_ENDED' },
    });
  });

  test('The preview has its own airports and calculations (M-2.7.v1, M-2.7.v2, M-2.7.v3, M-2.7.v4)', () => {
    expect(shown().preview).toEqual({
      active: true,
      reason: 'NO_SUBSCRIPTION',
      allowedAirports: ['KJFK', 'EDDF'],
      message: 'You have no subscription. Preview: 10 calculations in 30 days at 2 airports.',
    });
  });

  test('The last second of the last day still counts as a day', () => {
    const end = new Date(now.getTime() + 1_000).toISOString();
    expect(shown(held(1, '2026-09-01', end))).toMatchObject({ isActive: true, daysRemaining: 1 });
    expect(shown(held(1, '2026-09-01', now.toISOString()))).toMatchObject({
      isActive: false,
      daysRemaining: 0,
    });
  });
});

describe('allowance', () => {
  test.each([
    [10, 0, 0, { totalAllowed: 10, remaining: 10, overage: 0, usagePct: 0 }],
    [10, 5, 15, { totalAllowed: 15, remaining: 0, overage: 0, usagePct: 100 }],
    [10, 0, 12, { totalAllowed: 10, remaining: 0, overage: 2, usagePct: 120 }],
    [0, 0, 0, { totalAllowed: 0, remaining: 0, overage: 0, usagePct: 0 }],
    [0, 0, 3, { totalAllowed: 0, remaining: 0, overage: 3, usagePct: 100 }],
    [3, 0, 1, { usagePct: 33.3 }],
  ])('The allowance is counted for base %i, gift %i and %i used (G-33)', (base, gift, used, expected) => {
    expect(allowance({ maxCalculation: base, allowanceDays: 30 }, gift, used)).toMatchObject(expected);
  });
});

test('A pause longer than the paid period is shown as a pause, and an expired one as ended', () => {
  const textOf = (gatewayStatus: 'paused' | 'Running') => {
    const over = { ...held(2, '2026-08-01', '2026-09-01'), gatewayStatus };
    return subscriptionSummary(entitlementOf([over], preview, now), now);
  };
  expect(textOf('paused')).toMatchObject({ status: 'PAUSED', isActive: false });
  expect(textOf('paused').preview.message).toMatch(/^Your subscription is paused\. Preview: /);
  expect(textOf('Running').preview.message).toMatch(/^Your subscription has ended\. Preview: /);
});
