/** A local wallet gateway: legacy interface, REST and the confirmation of messages, for tests and the demo. */
import { json, startGatewayServer } from './server.ts';
import type { GatewayAnswer, GatewayMode, GatewayRequest, GatewayServer } from './server.ts';
import { eventFields, ipnBody, paymentFields, returnFields } from './wallet-messages.ts';
import type { WalletEvent, WalletPayment, WalletReturn } from './wallet-messages.ts';

export interface SimulatedProfile {
  reference: string;
  status: 'Active' | 'Suspended' | 'Cancelled' | 'Expired';
  /** Interfaces that know it. */
  known: readonly ('nvp' | 'rest')[];
  total: string;
  currency: string;
  nextBillingAt: Date | null;
}

type Socket = 'nvp' | 'rest' | 'verify';

export interface SimulatedWallet {
  readonly origin: string;
  /** Environment variables that point the service at this gateway. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the legacy interface and of REST, in their order. */
  readonly requests: readonly GatewayRequest[];
  readonly profiles: Map<string, SimulatedProfile>;
  readonly payments: Map<string, WalletPayment>;
  /** Of all sockets, or of one. */
  setMode: (mode: GatewayMode, socket?: Socket) => Promise<void>;
  /** The bodies of messages; they are remembered, since the gateway confirms what it sent. */
  payment: (payment: WalletPayment) => string;
  event: (event: WalletEvent) => string;
  moneyBack: (back: WalletReturn) => string;
  /** A message of any fields. */
  message: (fields: Readonly<Record<string, string>>) => string;
  close: () => Promise<void>;
}

export const walletReceiver = 'payments@simulated.example';
const credentials = { USER: 'simulated', PWD: 'simulated-wallet-password', SIGNATURE: 'simulated-signature' };
const client = { id: 'simulated-client', secret: 'simulated-client-secret' };
const token = 'simulated-token';

const transitions = {
  Suspend: { from: ['Active'], to: 'Suspended' },
  Reactivate: { from: ['Suspended'], to: 'Active' },
  Cancel: { from: ['Active', 'Suspended'], to: 'Cancelled' },
} as const;
type Action = keyof typeof transitions;

const isAction = (text: string): text is Action => Object.hasOwn(transitions, text);

/** False: its state does not allow it. */
const move = (profile: SimulatedProfile, action: Action): boolean => {
  const { from, to } = transitions[action];
  if (!(from as readonly string[]).includes(profile.status)) return false;
  profile.status = to;
  return true;
};

const nvpAnswer = (fields: Readonly<Record<string, string>>): GatewayAnswer => ({
  body: new URLSearchParams(fields).toString(),
});
const nvpFailure = (code: string, words: string): GatewayAnswer =>
  nvpAnswer({ ACK: 'Failure', L_ERRORCODE0: code, L_SHORTMESSAGE0: 'Error', L_LONGMESSAGE0: words });

const restActions: Readonly<Record<string, Action>> = {
  suspend: 'Suspend',
  activate: 'Reactivate',
  cancel: 'Cancel',
};

interface State {
  profiles: Map<string, SimulatedProfile>;
  payments: Map<string, WalletPayment>;
}

const nvp = ({ profiles, payments }: State, { body }: GatewayRequest): GatewayAnswer => {
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
  const { reference, status, total, currency, nextBillingAt } = profile;
  if (method === 'GetRecurringPaymentsProfileDetails') {
    const next = nextBillingAt ? { NEXTBILLINGDATE: nextBillingAt.toISOString() } : {};
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
  return nvpAnswer({ ACK: 'Success', PROFILEID: reference });
};

const rest = ({ profiles, payments }: State, request: GatewayRequest): GatewayAnswer => {
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
  const { reference, status, total: value, currency: currency_code, nextBillingAt } = profile;
  if (tail === undefined) {
    const amount = { value, currency_code };
    const info = { last_payment: { amount }, next_billing_time: nextBillingAt?.toISOString() };
    return json({ id: reference, status: status.toUpperCase(), billing_info: info });
  }
  if (tail === 'transactions') {
    const own = [...payments.values()].filter((payment) => payment.reference === reference);
    const transactions = own.map(
      ({ transactionId, total, currency, paidAt, status: state = 'Completed' }) => ({
        id: transactionId,
        status: state.toUpperCase(),
        time: paidAt.toISOString(),
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

export const startSimulatedWallet = async (options: { slowMs?: number } = {}): Promise<SimulatedWallet> => {
  const profiles = new Map<string, SimulatedProfile>();
  const payments = new Map<string, WalletPayment>();
  const sent = new Set<string>();
  const requests: GatewayRequest[] = [];
  const noting = (answer: (request: GatewayRequest) => GatewayAnswer) => (request: GatewayRequest) => {
    requests.push(request);
    return answer(request);
  };
  const prefix = 'cmd=_notify-validate&';
  const verify = ({ body }: GatewayRequest): GatewayAnswer => ({
    body: body.startsWith(prefix) && sent.has(body.slice(prefix.length)) ? 'VERIFIED' : 'INVALID',
  });
  const servers: Readonly<Record<Socket, GatewayServer>> = {
    nvp: await startGatewayServer(
      noting((request) => nvp({ profiles, payments }, request)),
      options,
    ),
    rest: await startGatewayServer(
      noting((request) => rest({ profiles, payments }, request)),
      options,
    ),
    verify: await startGatewayServer(verify, options),
  };
  const message = (fields: Readonly<Record<string, string>>): string => {
    const body = ipnBody(fields);
    sent.add(body);
    return body;
  };
  return {
    origin: servers.rest.origin,
    variables: {
      WALLET_NVP_URL: `${servers.nvp.origin}/nvp`,
      WALLET_NVP_USER: credentials.USER,
      WALLET_NVP_PASSWORD: credentials.PWD,
      WALLET_NVP_SIGNATURE: credentials.SIGNATURE,
      WALLET_REST_URL: servers.rest.origin,
      WALLET_CLIENT_ID: client.id,
      WALLET_CLIENT_SECRET: client.secret,
      WALLET_IPN_VERIFY_URL: `${servers.verify.origin}/cgi-bin/webscr`,
      WALLET_RECEIVER_EMAIL: walletReceiver,
    },
    requests,
    profiles,
    payments,
    setMode: async (mode, socket) => {
      const chosen = socket ? [servers[socket]] : Object.values(servers);
      for (const server of chosen) await server.setMode(mode);
    },
    payment: (payment) => {
      payments.set(payment.transactionId, payment);
      const { reference, total, currency, paidAt, status = 'Completed' } = payment;
      const known = profiles.get(reference) ?? { status: 'Active' as const, known: ['nvp', 'rest'] as const };
      const next = new Date(paidAt.getTime() + 30 * 86_400_000);
      if (status === 'Completed')
        profiles.set(reference, { ...known, reference, total, currency, nextBillingAt: next });
      return message(paymentFields(payment, walletReceiver));
    },
    event: (event) => message(eventFields(event, walletReceiver)),
    moneyBack: (back) => message(returnFields(back, walletReceiver)),
    message,
    close: async () => {
      for (const server of Object.values(servers)) await server.close();
    },
  };
};
