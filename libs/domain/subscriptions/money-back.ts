/** Payments that were given back: the newest payment decides whether there is access. */
import type { GatewayNotice, NoticeFields, NoticePayment } from './notice.ts';

/** A payment that was completed once. */
export type SettledPayment = Pick<NoticePayment, 'transactionId' | 'status'>;

const isBack = (payment: SettledPayment | null): boolean =>
  payment?.status === 'REFUNDED' || payment?.status === 'REVERSED';

/** Without what it says about the access; `lapse` remains. */
const silent = (notice: GatewayNotice, lapse: Pick<NoticeFields, 'isLapsed'> | null): GatewayNotice => {
  const { coversFrom: _from, set: said, ...others } = notice;
  const { endsAt: _end, isLapsed: _lapsed, ...set } = said;
  return { ...others, set: { ...set, ...lapse } };
};

/**
 * What a notice says about the access, given the newest settled payment of the subscription before and after it: a
 * refund of an earlier period leaves a later one paid, and neither a licence nor the nightly comparison gives back what
 * was refunded. `isDecisive`: it counts also where another clock is newer.
 */
export const withMoneyBack = (
  notice: GatewayNotice,
  { before, after }: { before: SettledPayment | null; after: SettledPayment | null },
): { notice: GatewayNotice; isDecisive: boolean } => {
  const own = notice.payments.filter(({ kind }) => kind === 'payment');
  if (after && notice.set.isLapsed === true && own.some(isBack)) {
    const isOfNewest = own.some(({ transactionId }) => transactionId === after.transactionId);
    if (isOfNewest && isBack(after)) return { notice, isDecisive: true };
    return { notice: silent(notice, null), isDecisive: false };
  }
  if (!isBack(after)) return { notice, isDecisive: isBack(before) };
  return { notice: silent(notice, notice.set.isLapsed ? { isLapsed: true } : null), isDecisive: false };
};
