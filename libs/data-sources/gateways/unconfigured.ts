import { GatewayError } from '#domain/subscriptions/gateway.ts';
import type { Gateway, GatewayKind } from '#domain/subscriptions/gateway.ts';

/** A gateway without credentials: it accepts no message, and every call fails with the same explanation. */
export const unconfiguredGateway = (kind: GatewayKind, manageUrl: string): Gateway => {
  const unavailable = (): GatewayError =>
    new GatewayError('unavailable', `The ${kind} gateway is not configured.`);
  const refuse = () => Promise.reject(unavailable());
  return {
    kind,
    isConfigured: false,
    manageUrl,
    messages: {},
    change: refuse,
    read: refuse,
    payments: refuse,
    missed: refuse,
    checkoutUrl: () => {
      throw unavailable();
    },
    paymentMethodUrl: refuse,
    refund: refuse,
  };
};
