import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { gatewayAnswered } from './events.ts';

/** Calls of payment gateways in this process. Returns the function that ends the count. */
export const countGatewayCalls = (register: Registry): (() => void) => {
  const registers = [register];
  const calls = new Counter({
    name: 'efb_gateway_calls_total',
    help: 'Calls of payment gateways and checks of their messages by outcome: done, refused, unavailable, unknown, forged or failed.',
    labelNames: ['gateway', 'verb', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'efb_gateway_call_duration_seconds',
    help: 'Time that calls of payment gateways took.',
    labelNames: ['gateway', 'verb'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  return gatewayAnswered.subscribe(({ gateway, verb, outcome, seconds }) => {
    calls.inc({ gateway, verb, outcome });
    duration.observe({ gateway, verb }, seconds);
  });
};
