/** A local card gateway: REST, JSON-RPC and the messages that it sends, for tests and the demo. */
import { createHmac } from 'node:crypto';
import { proratedMinor } from './catalogue.ts';
import { json, startGatewayServer } from './server.ts';
import type { GatewayAnswer, GatewayMode, GatewayRequest } from './server.ts';
import { ipnFieldsOf, lcnFieldsOf, signedForm } from './card-messages.ts';
import type { Licence, Order } from './card-messages.ts';

export interface SimulatedLicence {
  reference: string;
  userId: number;
  productCode: string;
  endsAt: Date;
  isEnabled: boolean;
  isRecurring: boolean;
  resumeAt: Date | null;
  /** Numbers of its orders. */
  orders: string[];
}

interface SimulatedOrder {
  number: string;
  status: string;
  total: string;
  currency: string;
  paidAt: Date;
}

/** Money that was taken or given back. */
export interface Charge {
  reference: string;
  what: string;
  amount: string;
}

export interface SimulatedCard {
  readonly origin: string;
  /** Environment variables that point the service at this gateway. */
  readonly variables: Readonly<Record<string, string>>;
  readonly requests: readonly GatewayRequest[];
  readonly licences: Map<string, SimulatedLicence>;
  readonly orders: Map<string, SimulatedOrder>;
  readonly charges: Charge[];
  setMode: (mode: GatewayMode) => Promise<void>;
  /** The signed body of a payment notification; the order and its licence are stored. */
  ipn: (order: Order) => string;
  /** The signed body of a licence notification. */
  lcn: (licence: Licence) => string;
  close: () => Promise<void>;
}

const merchant = 'SIMULATED';
const secretKey = 'simulated-card-secret-key';
const buyLinkSecret = 'simulated-buy-link-secret';

const daySeconds = 86_400;
const local = (at: Date): string =>
  new Date(at.getTime() + 2 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const fromLocal = (text: string): Date => new Date(`${text.replace(' ', 'T')}+02:00`);

const isSigned = ({ headers }: GatewayRequest): boolean => {
  const header = String(headers['x-avangate-authentication'] ?? '');
  const found = /^code="([^"]*)" date="([^"]*)" hash="([^"]*)" algo="sha3-256"$/.exec(header);
  if (!found) return false;
  const [, code = '', date = '', hash] = found;
  const text = `${code.length}${code}${date.length}${date}`;
  return createHmac('sha3-256', secretKey).update(text).digest('hex') === hash;
};

export const startSimulatedCard = async (
  options: { slowMs?: number; now?: () => Date } = {},
): Promise<SimulatedCard> => {
  const { now = () => new Date() } = options;
  const licences = new Map<string, SimulatedLicence>();
  const orders = new Map<string, SimulatedOrder>();
  const charges: Charge[] = [];

  const subscription = (licence: SimulatedLicence) => ({
    SubscriptionReference: licence.reference,
    ExpirationDate: local(licence.endsAt),
    RecurringEnabled: licence.isRecurring,
    SubscriptionEnabled: licence.isEnabled,
    Product: { ProductCode: licence.productCode },
    ExternalCustomerReference: String(licence.userId),
  });

  const ofLicence = (licence: SimulatedLicence, tail: string, request: GatewayRequest): GatewayAnswer => {
    if (tail === '') return json(subscription(licence));
    if (tail === 'renewal/pause/') return json({ ResumeDate: licence.resumeAt && local(licence.resumeAt) });
    if (tail.startsWith('renewal/price/'))
      return json({ NetPrice: 9.99, NetCurrency: 'EUR', FinalPrice: 11.89, FinalCurrency: 'EUR' });
    if (tail === 'signon/change_card/')
      return json(`https://secure.example/signon/${licence.reference}/once`);
    if (tail === 'history/' && request.method === 'PUT') {
      const days = Number(request.query.get('Days'));
      licence.endsAt = new Date(licence.endsAt.getTime() + days * daySeconds * 1_000);
      return json(true);
    }
    if (tail === 'history/') return json(licence.orders.map((number) => ({ ReferenceNo: number })));
    return json({ error_code: 'NOT_FOUND', message: 'Unknown path' }, 404);
  };

  const refund = (order: SimulatedOrder, { body }: GatewayRequest): GatewayAnswer => {
    const { amount = order.total } = JSON.parse(body) as { amount?: string };
    const before = charges.filter(({ reference, what }) => reference === order.number && what === 'refund');
    const returned = before.reduce((sum, charge) => sum + Number(charge.amount), 0);
    const refuse = (message: string) => json({ error_code: 'REFUND', message }, 400);
    if (order.status === 'REFUND') return refuse('You have already placed a Total refund for this order.');
    if (returned + Number(amount) > Number(order.total) + 1e-6)
      return refuse('The maximum refundable amount for this order has been exceeded.');
    if (returned + Number(amount) > Number(order.total) - 1e-6) order.status = 'REFUND';
    charges.push({ reference: order.number, what: 'refund', amount });
    return json({ RefundId: `R-${order.number}-${before.length + 1}`, Status: 'PENDING' });
  };

  const ofOrder = (order: SimulatedOrder, tail: string, request: GatewayRequest): GatewayAnswer => {
    if (tail === 'refund/') return refund(order, request);
    const { number, status, total, currency, paidAt } = order;
    const details = { Type: 'CC' };
    return json({
      RefNo: number,
      Status: status,
      GrossPrice: Number(total),
      Currency: currency,
      OrderDate: local(paidAt),
      PaymentDetails: details,
    });
  };

  const rest = (request: GatewayRequest): GatewayAnswer => {
    if (!isSigned(request)) return json({ error_code: 'AUTH', message: 'Authentication failed' }, 401);
    const path = request.path.slice('/rest/6.0'.length);
    if (path === '/subscriptions/') return json([...licences.values()].map(subscription));
    const found = /^\/(subscriptions|orders)\/([^/]+)\/(.*)$/.exec(path);
    const [, kind, id = '', tail = ''] = found ?? [];
    const licence = licences.get(decodeURIComponent(id));
    const order = orders.get(decodeURIComponent(id));
    if (kind === 'subscriptions' && licence) return ofLicence(licence, tail, request);
    if (kind === 'orders' && order) return ofOrder(order, tail, request);
    return json({ error_code: 'NOT_FOUND', message: 'Not found' }, 404);
  };

  const methods: Readonly<
    Record<string, (licence: SimulatedLicence, values: readonly unknown[]) => string | null>
  > = {
    setRenewalPause: (licence, [at]) => {
      licence.resumeAt = fromLocal(String(at));
      return null;
    },
    cancelRenewalPause: (licence) => {
      if (!licence.resumeAt) return 'The renewal is not paused';
      licence.resumeAt = null;
      return null;
    },
    cancelSubscription: (licence) => {
      if (!licence.isEnabled) return 'The subscription is disabled';
      licence.isEnabled = false;
      licence.isRecurring = false;
      return null;
    },
    enableRecurringBilling: (licence) => {
      licence.isRecurring = true;
      return null;
    },
    disableRecurringBilling: (licence) => {
      licence.isRecurring = false;
      return null;
    },
    setSubscriptionUpgrade: (licence, [code, given, price]) => {
      const target = String(code);
      if (typeof given !== 'string') return 'The options must be a text';
      if (price !== null && typeof price !== 'string') return 'The custom price must be a text';
      const daysLeft = (licence.endsAt.getTime() - now().getTime()) / 1_000 / daySeconds;
      const amount = price ?? (proratedMinor(licence.productCode, target, daysLeft) / 100).toFixed(2);
      licence.productCode = target;
      charges.push({ reference: licence.reference, what: `upgrade to ${target}`, amount });
      return null;
    },
  };

  const rpc = ({ body }: GatewayRequest): GatewayAnswer => {
    const { method, params, id } = JSON.parse(body) as { method: string; params: unknown[]; id: number };
    const answer = (result: unknown) => json({ jsonrpc: '2.0', id, result });
    const refuse = (message: string) => json({ jsonrpc: '2.0', id, error: { code: 'REFUSED', message } });
    if (method === 'login') return answer('session-1');
    const [session, reference, ...values] = params;
    const licence = licences.get(String(reference));
    if (session !== 'session-1') return refuse('Session expired');
    if (!licence) return refuse('The subscription does not exist');
    const work = methods[method];
    if (!work) return refuse(`Unknown method ${method}`);
    const problem = work(licence, values);
    return problem === null ? answer(true) : refuse(problem);
  };

  const server = await startGatewayServer(
    (request) => (request.path.startsWith('/rpc/') ? rpc(request) : rest(request)),
    options,
  );

  return {
    ...server,
    variables: {
      CARD_MERCHANT_CODE: merchant,
      CARD_SECRET_KEY: secretKey,
      CARD_BUY_LINK_SECRET: buyLinkSecret,
      CARD_REST_URL: `${server.origin}/rest/6.0`,
      CARD_RPC_URL: `${server.origin}/rpc/6.0/`,
      CARD_MANAGE_URL: 'https://secure.example/myaccount/',
    },
    licences,
    orders,
    charges,
    ipn: (order) => {
      const { number, status, total, currency, paidAt, reference, userId, productCode, endsAt } = order;
      orders.set(number, { number, status, total, currency, paidAt });
      const known = licences.get(reference);
      const list = [...new Set([...(known?.orders ?? []), number])];
      if (status === 'COMPLETE') {
        const state = { isEnabled: true, isRecurring: true, resumeAt: null, ...known };
        licences.set(reference, { ...state, reference, userId, productCode, endsAt, orders: list });
      }
      return signedForm(ipnFieldsOf(order), secretKey);
    },
    lcn: (licence) => signedForm(lcnFieldsOf(licence), secretKey),
  };
};

/** The first day of a paid period and the last, for messages. */
export const periodOf = (from: Date, days: number): { paidAt: Date; endsAt: Date } => ({
  paidAt: from,
  endsAt: new Date(from.getTime() + days * daySeconds * 1_000),
});
