import type { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';

interface Watcher<Message, State> {
  /** `state` of an activity is current in everything that it runs. */
  store: AsyncLocalStorage<State>;
  /** The state for the activity; may complete the message. */
  begin: (message: Message) => State;
  end: (message: Message, error: unknown) => void;
}

/** Work with a beginning and an end, published for whoever measures it; without a watcher only the work runs. */
export interface Activity<Message extends object> {
  /** To skip what is only needed for the message. */
  isWatched: () => boolean;
  run: <T>(message: Message, work: () => Promise<T>) => Promise<T>;
  /** Returns the function that ends the watch. */
  watch: <State>(watcher: Watcher<Message, State>) => () => void;
}

const activity = <Message extends object>(name: string): Activity<Message> => {
  const channel = tracingChannel<unknown, Message>(name);
  return {
    isWatched: () => channel.hasSubscribers,
    run: (message, work) =>
      channel.hasSubscribers ? channel.tracePromise(async () => work(), message) : work(),
    watch: ({ store, begin, end }) => {
      const ended = (message: unknown) =>
        end(message as Message, (message as { error?: unknown }).error ?? null);
      channel.start.bindStore(store, begin);
      channel.asyncEnd.subscribe(ended);
      return () => {
        channel.start.unbindStore(store);
        channel.asyncEnd.unsubscribe(ended);
      };
    },
  };
};

/** W3C trace context, as carried in a job's record: `traceparent`, and `tracestate` if there is one. */
export type Carrier = Record<string, string>;

export interface RequestServed {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The following are known at its end. */
  status?: number | undefined;
  /** Path as declared, without values. */
  route?: string | undefined;
  query?: string | undefined;
  errorCode?: string | undefined;
  logId?: string | undefined;
}

export const requestServed = activity<RequestServed>('efb:request');

export interface StatementRun {
  /** With `$n` in place of values. */
  text: string;
  rows?: number | null;
}

export const statementRun = activity<StatementRun>('efb:statement');

export type JobStore = 'postgres' | 'redis';

export interface JobSent {
  job: string;
  store: JobStore;
  /** For the job's record; set by the watcher. */
  trace?: Carrier;
}

export const jobSent = activity<JobSent>('efb:job-sent');

export interface JobReceived {
  job: string;
  store: JobStore;
  id: string;
  attempt: number;
  /** Ids, as in every payload. */
  payload: unknown;
  trace: Carrier | undefined;
  outcome?: string;
  error?: Error;
}

export const jobReceived = activity<JobReceived>('efb:job-received');
