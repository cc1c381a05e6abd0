import { channel } from 'node:diagnostics_channel';

/** What happens deep inside is published here; without a subscriber that costs nothing. */
export interface Event<Message> {
  publish: (message: Message) => void;
  /** Returns the function that ends the subscription. */
  subscribe: (listener: (message: Message) => void) => () => void;
}

const event = <Message extends object>(name: string): Event<Message> => {
  const found = channel(name);
  return {
    publish: (message) => found.publish(message),
    subscribe: (listener) => {
      const heard = (message: unknown) => listener(message as Message);
      found.subscribe(heard);
      return () => found.unsubscribe(heard);
    },
  };
};

export interface JobRan {
  job: string;
  outcome: 'done' | 'retry' | 'dead' | 'postponed';
  /** From the time that the job was due to the start of its first run; null on later ones. */
  waitSeconds: number | null;
  runSeconds: number;
}

export const jobRan = event<JobRan>('efb:job');

/** As in `GatewayError`; `forged`: a message that the provider did not send; `failed`: an error of this service. */
export type GatewayOutcome = 'done' | 'refused' | 'unavailable' | 'unknown' | 'forged' | 'failed';

export interface GatewayAnswered {
  gateway: string;
  /** `pause`, `read`, `verify`, … */
  verb: string;
  outcome: GatewayOutcome;
  seconds: number;
}

export const gatewayAnswered = event<GatewayAnswered>('efb:gateway');

export interface Calculated {
  family: string;
  mode: string;
  /** `impossible`: the answer says that there is none. The last three are refused and not charged. */
  outcome: 'possible' | 'impossible' | 'invalid' | 'notEntitled' | 'failed';
  seconds: number;
}

export const calculated = event<Calculated>('efb:calculation');
