import { channel } from 'node:diagnostics_channel';
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** Events published deep inside the code; without a subscriber they cost nothing. */
const event = <Message extends object>(name: string) => {
  const found = channel(name);
  return {
    publish: (message: Message): void => found.publish(message),
    /** Returns the function that unsubscribes. */
    subscribe: (listener: (message: Message) => void): (() => void) => {
      const heard = (message: unknown) => listener(message as Message);
      found.subscribe(heard);
      return () => found.unsubscribe(heard);
    },
  };
};

interface JobRan {
  job: string;
  outcome: 'done' | 'retry' | 'dead' | 'postponed';
  /** Seconds from the due time to the first run; null for later runs. */
  waitSeconds: number | null;
  runSeconds: number;
}

export const jobRan = event<JobRan>('efb:job');

/** As in `GatewayError`; `forged`: not sent by the provider; `failed`: an error of this service. */
export type GatewayOutcome = 'done' | 'refused' | 'unavailable' | 'unknown' | 'forged' | 'failed';

interface GatewayAnswered {
  gateway: string;
  /** `pause`, `read`, `verify`, … */
  verb: string;
  outcome: GatewayOutcome;
  seconds: number;
}

export const gatewayAnswered = event<GatewayAnswered>('efb:gateway');

/** Counts gateway calls of this process. Returns the function that stops counting. */
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
