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
