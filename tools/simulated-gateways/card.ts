/** A local card gateway for tests and the demo: REST, JSON-RPC and its messages. */
import { createHmac } from 'node:crypto';
import { cardMethods } from './card-methods.ts';
import type { SimulatedLicence } from './card-methods.ts';
import { ipnFieldsOf, lcnFieldsOf, signedForm } from './card-messages.ts';
import type { Licence, Order } from './card-messages.ts';
import { catalogue } from './catalogue.ts';
import { laggingReads } from './lagging.ts';
import type { LaggingReads } from './lagging.ts';
import { json, startGatewayServer } from './server.ts';
import type { GatewayAnswer, GatewayMode, GatewayRequest } from './server.ts';
import { daySeconds } from '#domain/time.ts';

interface SimulatedOrder {
  number: string;
  status: string;
  total: string;
  currency: string;
  paidAt: Date;
}

/** Money taken or refunded. */
export interface Charge {
  reference: string;
  what: string;
  amount: string;
}

/** The effect of a call. */
export type CardEvent =
  | { what: 'changed'; reference: string }
  | { what: 'upgraded'; reference: string; amount: string }
  | { what: 'refunded'; number: string; amount: string; isWhole: boolean };

export interface SimulatedCard {
  readonly origin: string;
  /** Environment variables that point the service at this gateway. */
  readonly variables: Readonly<Record<string, string>>;
  readonly requests: readonly GatewayRequest[];
  readonly licences: Map<string, SimulatedLicence>;
  readonly orders: Map<string, SimulatedOrder>;
  readonly charges: Charge[];
  /** JSON-RPC methods, and `refund`, that it refuses for good, with its text. */
  readonly refusals: Map<string, string>;
  /** References whose card is declined. */
  readonly declined: Set<string>;
  readonly reads: LaggingReads<SimulatedLicence | SimulatedOrder>;
  /** Makes the current state visible to reads after the lag; to be called after changes not made by a call. */
  note: () => void;
  /** Answers a request without a connection. */
  answer: (request: GatewayRequest) => GatewayAnswer;
  listen: (listener: (event: CardEvent) => void) => void;
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

const local = (at: Date | string): string =>
  new Date(new Date(at).getTime() + 2 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const isSigned = ({ headers }: GatewayRequest): boolean => {
  const header = String(headers['x-avangate-authentication'] ?? '');
  const found = /^code="([^"]*)" date="([^"]*)" hash="([^"]*)" algo="sha3-256"$/.exec(header);
  if (!found) return false;
  const [, code = '', date = '', hash] = found;
  const text = `${code.length}${code}${date.length}${date}`;
  return createHmac('sha3-256', secretKey).update(text).digest('hex') === hash;
};

const subscriptionOf = (licence: SimulatedLicence) => ({
  SubscriptionReference: licence.reference,
  ExpirationDate: local(licence.endsAt),
  RecurringEnabled: licence.isRecurring,
  SubscriptionEnabled: licence.isEnabled,
  Product: { ProductCode: licence.productCode },
  ExternalCustomerReference: String(licence.userId),
});

const notFound = json({ error_code: 'NOT_FOUND', message: 'Not found' }, 404);

export const startSimulatedCard = async (
  options: { slowMs?: number; now?: () => Date } = {},
): Promise<SimulatedCard> => {
  const { now = () => new Date() } = options;
  const licences = new Map<string, SimulatedLicence>();
  const orders = new Map<string, SimulatedOrder>();
  const charges: Charge[] = [];
  const refusals = new Map<string, string>();
  const declined = new Set<string>();
  const reads = laggingReads<SimulatedLicence | SimulatedOrder>(now);
  let listener: (event: CardEvent) => void = () => {};

  const note = (): void => reads.note([...licences, ...orders]);
  const tell = (event: CardEvent): void => {
    listener(event);
    note();
  };
  const shown = <T extends SimulatedLicence | SimulatedOrder>(key: string, value: T | undefined) =>
    reads.read(key, value) as T | undefined;

  const ofLicence = (licence: SimulatedLicence, tail: string, request: GatewayRequest): GatewayAnswer => {
    if (tail === 'history/' && request.method === 'PUT') {
      const days = Number(request.query.get('Days'));
      licence.endsAt = new Date(licence.endsAt.getTime() + days * daySeconds * 1_000);
      tell({ what: 'changed', reference: licence.reference });
      return json(true);
    }
    const seen = shown(licence.reference, licence);
    if (!seen) return notFound;
    if (tail === '') return json(subscriptionOf(seen));
    if (tail === 'renewal/pause/') return json({ ResumeDate: seen.resumeAt && local(seen.resumeAt) });
    if (/^renewal\/price\/[A-Z]{3}\/$/.test(tail)) {
      const gross = (catalogue[seen.productCode]?.priceMinor ?? 0) / 100;
      const net = Math.round(gross / 0.0119) / 100;
      const final = seen.isNetOnly ? {} : { FinalPrice: gross, FinalCurrency: 'EUR' };
      return json({ NetPrice: net, NetCurrency: 'EUR', ...final });
    }
    if (tail === 'signon/change_card/') return json(`https://secure.example/signon/${licence.reference}`);
    if (tail === 'history/') return json(seen.orders.map((number) => ({ ReferenceNo: number })));
    return json({ error_code: 'NOT_FOUND', message: 'Unknown path' }, 404);
  };

  const refund = (order: SimulatedOrder, { body }: GatewayRequest): GatewayAnswer => {
    const { amount = order.total } = JSON.parse(body) as { amount?: string };
    const before = charges.filter(({ reference, what }) => reference === order.number && what === 'refund');
    const returned = before.reduce((sum, charge) => sum + Number(charge.amount), 0);
    const refuse = (message: string) => json({ error_code: 'REFUND', message }, 400);
    const refusal = refusals.get('refund');
    if (refusal !== undefined) return refuse(refusal);
    if (order.status === 'REFUND') return refuse('You have already placed a Total refund for this order.');
    if (returned + Number(amount) > Number(order.total) + 1e-6)
      return refuse('The maximum refundable amount for this order has been exceeded.');
    const isWhole = returned + Number(amount) > Number(order.total) - 1e-6;
    if (isWhole) order.status = 'REFUND';
    charges.push({ reference: order.number, what: 'refund', amount });
    tell({ what: 'refunded', number: order.number, amount, isWhole });
    return json({ RefundId: `R-${order.number}-${before.length + 1}`, Status: 'PENDING' });
  };

  const ofOrder = (order: SimulatedOrder, tail: string, request: GatewayRequest): GatewayAnswer => {
    if (tail === 'refund/') return refund(order, request);
    const seen = shown(order.number, order);
    if (!seen) return notFound;
    const { number, status, total, currency, paidAt } = seen;
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
    if (path === '/subscriptions/') {
      const seen = [...licences].flatMap(([reference, licence]) => shown(reference, licence) ?? []);
      const since = request.query.get('ModifiedAfter') ?? '';
      const page = Number(request.query.get('Page') ?? 1);
      const limit = Number(request.query.get('Limit') ?? 10);
      const listed = seen.filter(({ modifiedAt = '9999-01-01' }) => local(modifiedAt) >= since);
      const all = listed.slice((page - 1) * limit, page * limit);
      return json(all.map(subscriptionOf));
    }
    const found = /^\/(subscriptions|orders)\/([^/]+)\/(.*)$/.exec(path);
    const [, kind, id = '', tail = ''] = found ?? [];
    const licence = licences.get(decodeURIComponent(id));
    const order = orders.get(decodeURIComponent(id));
    if (kind === 'subscriptions' && licence) return ofLicence(licence, tail, request);
    if (kind === 'orders' && order) return ofOrder(order, tail, request);
    return notFound;
  };

  const rpc = ({ body }: GatewayRequest): GatewayAnswer => {
    const { method, params, id } = JSON.parse(body) as { method: string; params: unknown[]; id: number };
    const answer = (result: unknown) => json({ jsonrpc: '2.0', id, result });
    const refuse = (message: string) => json({ jsonrpc: '2.0', id, error: { code: 'REFUSED', message } });
    if (method === 'login') return answer('session-1');
    const [session, named, ...further] = params;
    const isWhole = method === 'updateSubscription';
    const reference = isWhole
      ? (named as { SubscriptionReference: string }).SubscriptionReference
      : String(named);
    const values = isWhole ? [named] : further;
    const licence = licences.get(reference);
    if (session !== 'session-1') return refuse('Session expired');
    if (!licence) return refuse('The subscription does not exist');
    const work = cardMethods[method];
    if (!work) return refuse(`Unknown method ${method}`);
    const refusal = refusals.get(method);
    if (refusal !== undefined) return refuse(refusal);
    const done = work(licence, values, { now: now(), isDeclined: declined.has(reference) });
    if (done && 'refusal' in done) return refuse(done.refusal);
    if (done) {
      const amount = done.upgradeAmount;
      charges.push({ reference, what: `upgrade to ${licence.productCode}`, amount });
      tell({ what: 'upgraded', reference, amount });
    } else tell({ what: 'changed', reference });
    return answer(true);
  };

  const answer = (request: GatewayRequest): GatewayAnswer =>
    request.path.startsWith('/rpc/') ? rpc(request) : rest(request);
  const isLogin = ({ body }: GatewayRequest) => body.includes('"method":"login"');
  const server = await startGatewayServer(answer, { ...options, isLogin });

  return {
    ...server,
    variables: {
      CARD_MERCHANT_CODE: merchant,
      CARD_SECRET_KEY: secretKey,
      CARD_BUY_LINK_SECRET: buyLinkSecret,
      CARD_API_URL: server.origin,
    },
    licences,
    orders,
    charges,
    refusals,
    declined,
    reads,
    note,
    answer,
    listen: (next) => {
      listener = next;
    },
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
