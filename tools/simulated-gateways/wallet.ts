/** A local wallet gateway for tests and the demo: legacy interface, REST, and confirmation of its messages. */
import { laggingReads } from './lagging.ts';
import type { LaggingReads } from './lagging.ts';
import { startGatewayServer } from './server.ts';
import type { GatewayAnswer, GatewayMode, GatewayRequest, GatewayServer } from './server.ts';
import { client, credentials, nvp, rest, transitions } from './wallet-interfaces.ts';
import type { SimulatedProfile, WalletAction, WalletState } from './wallet-interfaces.ts';
import { eventFields, ipnBody, paymentFields, returnFields } from './wallet-messages.ts';
import type { WalletEvent, WalletPayment, WalletReturn } from './wallet-messages.ts';

export type WalletSocket = 'nvp' | 'rest' | 'verify';

export interface SimulatedWallet {
  readonly origin: string;
  /** Environment variables that point the service at this gateway. */
  readonly variables: Readonly<Record<string, string>>;
  /** Calls of the legacy interface and REST, in order. */
  readonly requests: readonly GatewayRequest[];
  readonly profiles: Map<string, SimulatedProfile>;
  readonly payments: Map<string, WalletPayment>;
  /** Actions that it refuses for good: `Suspend`, `Reactivate`, `Cancel`. */
  readonly refusals: Set<string>;
  readonly reads: LaggingReads<SimulatedProfile | WalletPayment>;
  /** Makes the current state visible to reads after the lag; to be called after changes not made by a call. */
  note: () => void;
  /** The answer to a request, without a connection. */
  answers: Readonly<Record<WalletSocket, (request: GatewayRequest) => GatewayAnswer>>;
  /** Called with the profile that a call has changed. */
  listen: (listener: (reference: string, action: WalletAction) => void) => void;
  /** Mode of one socket, or of all. */
  setMode: (mode: GatewayMode, socket?: WalletSocket) => Promise<void>;
  /** Bodies of messages, remembered because the gateway confirms what it sent. */
  payment: (payment: WalletPayment) => string;
  event: (event: WalletEvent) => string;
  refunded: (back: WalletReturn) => string;
  /** A message with any fields. */
  message: (fields: Readonly<Record<string, string>>) => string;
  close: () => Promise<void>;
}

export const walletReceiver = 'payments@simulated.example';
export const startSimulatedWallet = async (
  options: { slowMs?: number; now?: () => Date } = {},
): Promise<SimulatedWallet> => {
  const { now = () => new Date() } = options;
  const profiles = new Map<string, SimulatedProfile>();
  const payments = new Map<string, WalletPayment>();
  const sent = new Set<string>();
  const requests: GatewayRequest[] = [];
  const refusals = new Set<string>();
  const reads = laggingReads<SimulatedProfile | WalletPayment>(now);
  const note = (): void => reads.note([...profiles, ...payments]);
  let listener: (reference: string, action: WalletAction) => void = () => {};
  const state: WalletState = {
    profiles,
    payments,
    seen: (profile) => reads.read(profile.reference, profile) as SimulatedProfile | undefined,
    seenPayment: (payment) => reads.read(payment.transactionId, payment) as WalletPayment | undefined,
    move: (profile, action) => {
      const { from, to } = transitions[action];
      if (!(from as readonly string[]).includes(profile.status) || refusals.has(action)) return false;
      profile.status = to;
      listener(profile.reference, action);
      note();
      return true;
    },
  };
  const noting = (answer: (request: GatewayRequest) => GatewayAnswer) => (request: GatewayRequest) => {
    requests.push(request);
    return answer(request);
  };
  const prefix = 'cmd=_notify-validate&';
  const verify = ({ body }: GatewayRequest): GatewayAnswer => ({
    body: body.startsWith(prefix) && sent.has(body.slice(prefix.length)) ? 'VERIFIED' : 'INVALID',
  });
  const answers: SimulatedWallet['answers'] = {
    nvp: noting((request) => nvp(state, request)),
    rest: noting((request) => rest(state, request)),
    verify,
  };
  const servers: Readonly<Record<WalletSocket, GatewayServer>> = {
    nvp: await startGatewayServer(answers.nvp, options),
    rest: await startGatewayServer(answers.rest, options),
    verify: await startGatewayServer(answers.verify, options),
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
    refusals,
    reads,
    note,
    answers,
    listen: (next) => {
      listener = next;
    },
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
    refunded: (back) => message(returnFields(back, walletReceiver)),
    message,
    close: async () => {
      for (const server of Object.values(servers)) await server.close();
    },
  };
};
