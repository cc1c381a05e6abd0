/** The wallet gateway: legacy interface, REST, and notifications that it confirms itself. */
import { z } from 'zod';
import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, Gateway } from '#domain/subscriptions/gateway.ts';
import { currencyCode, toMinor } from '#domain/subscriptions/money.ts';
import type { NoticePayment } from '#domain/subscriptions/notice.ts';
import { addSeconds, daySeconds } from '#domain/time.ts';
import { parsed, refusingGateway } from '../calls.ts';
import type { GatewayParts } from '../calls.ts';
import { changeAtWallet, readAtWallet } from './change.ts';
import { nvpChannel, restChannel } from './channels.ts';
import type { Channel } from './channels.ts';
import { ipnReader } from './ipn.ts';
import { createWalletRest } from './rest.ts';
import type { WalletRest } from './rest.ts';
import type { WalletSettings } from './settings.ts';

const transactionsSchema = z.object({
  transactions: z
    .array(
      z.object({
        id: z.string(),
        status: z.string(),
        time: z.coerce.date(),
        amount_with_breakdown: z.object({
          gross_amount: z.object({ value: z.string(), currency_code: z.string() }),
        }),
      }),
    )
    .default([]),
});

const statuses: Readonly<Record<string, NoticePayment['status']>> = {
  COMPLETED: 'COMPLETED',
  DECLINED: 'FAILED',
  PARTIALLY_REFUNDED: 'COMPLETED',
  REFUNDED: 'REFUNDED',
};

const paymentDays = 3 * 365;

const paymentsOf = async (
  rest: WalletRest,
  reference: string,
  now: Date,
  options: CallOptions,
): Promise<NoticePayment[]> => {
  const path = `/v1/billing/subscriptions/${encodeURIComponent(reference)}/transactions`;
  const query = {
    start_time: addSeconds(now, -paymentDays * daySeconds).toISOString(),
    end_time: now.toISOString(),
  };
  const answer = await rest({ path, query }, options);
  if (answer === null) return [];
  return parsed(transactionsSchema, answer, 'wallet').transactions.flatMap(
    ({ id, status, time, amount_with_breakdown: amount }) => {
      const { value, currency_code: named } = amount.gross_amount;
      const currency = currencyCode(named);
      const amountMinor = toMinor(value, currency);
      if (amountMinor === null) return [];
      const known = statuses[status] ?? 'PENDING';
      const common = { transactionId: id, kind: 'payment' as const, method: 'wallet', paidAt: time };
      return [{ ...common, status: known, amountMinor, currency }];
    },
  );
};

export const createWalletGateway = (settings: WalletSettings, { http, clock }: GatewayParts): Gateway => {
  const nvp = settings.nvp && { http, settings: settings.nvp };
  const rest = settings.rest && createWalletRest({ http, clock, settings: settings.rest });
  const channels = [...(nvp ? [nvpChannel(nvp, clock)] : []), ...(rest ? [restChannel(rest, clock)] : [])];
  const known = (): readonly Channel[] => {
    if (channels.length > 0) return channels;
    throw new GatewayError('unavailable', 'The wallet gateway has no credentials for its interfaces.');
  };
  return {
    ...refusingGateway('wallet', (what) => new GatewayError('refused', `The wallet gateway cannot ${what}.`)),
    messages: { ipn: ipnReader({ settings, http, nvp }) },
    change: async (change, options) => changeAtWallet(known(), change, options),
    read: async (reference, options) => readAtWallet(known(), reference, options),
    payments: async (reference, options) => (rest ? paymentsOf(rest, reference, clock.now(), options) : []),
    missed: async () => ({ references: null, messages: [] }),
  };
};
