import { InvalidSignatureError, GatewayError } from '#domain/subscriptions/gateway.ts';
import type { Gateway, MessageReader } from '#domain/subscriptions/gateway.ts';
import { gatewayAnswered } from '#platform/metrics/events.ts';
import type { GatewayOutcome } from '#platform/metrics/events.ts';

const outcomeOf = (error: unknown): GatewayOutcome => {
  if (error instanceof GatewayError) return error.outcome;
  return error instanceof InvalidSignatureError ? 'forged' : 'failed';
};

/** The same gateway, which publishes its calls; nothing else changes. */
export const observedGateway = (gateway: Gateway): Gateway => {
  const { kind, missed } = gateway;
  const observe = async <T>(verb: string, work: () => Promise<T>): Promise<T> => {
    const started = performance.now();
    let outcome: GatewayOutcome = 'done';
    try {
      return await work();
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      const seconds = (performance.now() - started) / 1_000;
      gatewayAnswered.publish({ gateway: kind, verb, outcome, seconds });
    }
  };
  const observedReader = (reader: MessageReader): MessageReader => ({
    ...reader,
    verify: (...parts) => observe('verify', () => reader.verify(...parts)),
  });
  return {
    ...gateway,
    messages: Object.fromEntries(
      Object.entries(gateway.messages).map(([event, reader]) => [event, observedReader(reader)]),
    ),
    change: (change, options) => observe(change.verb, () => gateway.change(change, options)),
    read: (...parts) => observe('read', () => gateway.read(...parts)),
    payments: (...parts) => observe('payments', () => gateway.payments(...parts)),
    missed: missed && ((...parts) => observe('missed', () => missed(...parts))),
    paymentMethodUrl: (...parts) => observe('paymentMethodUrl', () => gateway.paymentMethodUrl(...parts)),
    refund: (...parts) => observe('refund', () => gateway.refund(...parts)),
  };
};
