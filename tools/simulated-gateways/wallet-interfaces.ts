/** The interfaces of the simulated wallet gateway and their answers. */
import { json } from './server.ts';
import type { GatewayAnswer, GatewayRequest } from './server.ts';
import type { WalletPayment } from './wallet-messages.ts';

export interface SimulatedProfile {
  reference: string;
  status: 'Active' | 'Suspended' | 'Cancelled' | 'Expired';
  /** Interfaces that know it. */
  known: readonly ('nvp' | 'rest')[];
  total: string;
  currency: string;
  nextBillingAt: Date | null;
}

export const credentials = {
  USER: 'simulated',
  PWD: 'simulated-wallet-password',
  SIGNATURE: 'simulated-signature',
};
export const client = { id: 'simulated-client', secret: 'simulated-client-secret' };
const token = 'simulated-token';

export const transitions = {
  Suspend: { from: ['Active'], to: 'Suspended' },
  Reactivate: { from: ['Suspended'], to: 'Active' },
  Cancel: { from: ['Active', 'Suspended'], to: 'Cancelled' },
} as const;
export type WalletAction = keyof typeof transitions;

const isAction = (text: string): text is WalletAction => Object.hasOwn(transitions, text);

const nvpAnswer = (fields: Readonly<Record<string, string>>): GatewayAnswer => ({
  body: new URLSearchParams(fields).toString(),
});
const nvpFailure = (code: string, words: string): GatewayAnswer =>
  nvpAnswer({ ACK: 'Failure', L_ERRORCODE0: code, L_SHORTMESSAGE0: 'Error', L_LONGMESSAGE0: words });

const restActions: Readonly<Record<string, WalletAction>> = {
  suspend: 'Suspend',
  activate: 'Reactivate',
  cancel: 'Cancel',
};

export interface WalletState {
  profiles: Map<string, SimulatedProfile>;
  payments: Map<string, WalletPayment>;
  /** The state that a read shows, which may lag behind; undefined: none yet. */
  seen: (profile: SimulatedProfile) => SimulatedProfile | undefined;
  seenPayment: (payment: WalletPayment) => WalletPayment | undefined;
  /** False: not allowed in its state. */
  move: (profile: SimulatedProfile, action: WalletAction) => boolean;
}

export const nvp = (
  { profiles, payments, seen, move }: WalletState,
  { body }: GatewayRequest,
): GatewayAnswer => {
  const form = new URLSearchParams(body);
  if (Object.entries(credentials).some(([name, value]) => form.get(name) !== value))
    return nvpFailure('10002', 'Security header is not valid');
  const method = form.get('METHOD') ?? '';
  if (method === 'GetTransactionDetails') {
    const found = payments.get(form.get('TRANSACTIONID') ?? '');
    if (!found) return nvpFailure('10004', 'The transaction id is not valid');
    const { reference, total, currency, paidAt } = found;
    const ordered = { ORDERTIME: paidAt.toISOString(), AMT: total, CURRENCYCODE: currency };
    return nvpAnswer({ ACK: 'Success', SUBSCRIPTIONID: reference, ...ordered });
  }
  const profile = profiles.get(form.get('PROFILEID') ?? '');
  if (!profile?.known.includes('nvp')) return nvpFailure('11552', 'Invalid profile ID');
  if (method === 'GetRecurringPaymentsProfileDetails') {
    const shown = seen(profile);
    if (!shown) return nvpFailure('11552', 'Invalid profile ID');
    const { reference, status, total, currency, nextBillingAt } = shown;
    const next = nextBillingAt ? { NEXTBILLINGDATE: new Date(nextBillingAt).toISOString() } : {};
    return nvpAnswer({
      ACK: 'Success',
      PROFILEID: reference,
      STATUS: status,
      AMT: total,
      CURRENCYCODE: currency,
      ...next,
    });
  }
  const action = form.get('ACTION') ?? '';
  if (method !== 'ManageRecurringPaymentsProfileStatus' || !isAction(action))
    return nvpFailure('81002', 'Method specified is not supported');
  if (!move(profile, action)) return nvpFailure('11556', 'Invalid profile status for the action');
  return nvpAnswer({ ACK: 'Success', PROFILEID: profile.reference });
};

export const rest = (
  { profiles, payments, seen, seenPayment, move }: WalletState,
  request: GatewayRequest,
): GatewayAnswer => {
  const { authorization } = request.headers;
  if (request.path === '/v1/oauth2/token') {
    const basic = Buffer.from(`${client.id}:${client.secret}`).toString('base64');
    if (authorization !== `Basic ${basic}`) return json({ error: 'invalid_client' }, 401);
    return json({ access_token: token, token_type: 'Bearer', expires_in: 32_400 });
  }
  if (authorization !== `Bearer ${token}`) return json({ name: 'AUTHENTICATION_FAILURE' }, 401);
  const found = /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(\w+))?$/.exec(request.path);
  const profile = profiles.get(decodeURIComponent(found?.[1] ?? ''));
  if (!profile?.known.includes('rest')) return json({ name: 'RESOURCE_NOT_FOUND' }, 404);
  const tail = found?.[2];
  if (tail === undefined) {
    const shown = seen(profile);
    if (!shown) return json({ name: 'RESOURCE_NOT_FOUND' }, 404);
    const { reference, status, total: value, currency: currency_code, nextBillingAt } = shown;
    const amount = { value, currency_code };
    const info = { last_payment: { amount }, next_billing_time: nextBillingAt };
    return json({ id: reference, status: status.toUpperCase(), billing_info: info });
  }
  if (tail === 'transactions') {
    const own = [...payments.values()].filter(({ reference }) => reference === profile.reference);
    const shown = own.map(seenPayment).filter((payment) => payment !== undefined);
    const transactions = shown.map(
      ({ transactionId, total, currency, paidAt, status: state = 'Completed' }) => ({
        id: transactionId,
        status: state.toUpperCase(),
        time: new Date(paidAt).toISOString(),
        amount_with_breakdown: { gross_amount: { value: total, currency_code: currency } },
      }),
    );
    return json({ transactions });
  }
  const action = restActions[tail];
  if (!action || request.method !== 'POST') return json({ name: 'RESOURCE_NOT_FOUND' }, 404);
  if (move(profile, action)) return { status: 204, body: '' };
  return json({ name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'SUBSCRIPTION_STATUS_INVALID' }] }, 422);
};
