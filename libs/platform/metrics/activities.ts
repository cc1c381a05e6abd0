import { tracingChannel } from 'node:diagnostics_channel';

const activity = <Message extends object>(name: string) => {
  const channel = tracingChannel<unknown, Message>(name);
  return {
    channel,
    /** False if building the message would be wasted. */
    isWatched: () => channel.hasSubscribers,
    /** Runs the work and publishes its begin and end to subscribers. */
    run: <T>(message: Message, work: () => Promise<T>): Promise<T> =>
      channel.hasSubscribers ? channel.tracePromise(async () => work(), message) : work(),
  };
};
export type Activity<Message extends object> = ReturnType<typeof activity<Message>>;

/** W3C trace context in a job's record: `traceparent`, and `tracestate` if present. */
export type Carrier = Record<string, string>;

export interface RequestServed {
  method: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The members below are set at the end. */
  status?: number | undefined;
  /** The declared path, without values. */
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
  /** For the job's record; set by the subscriber. */
  trace?: Carrier;
}

export const jobSent = activity<JobSent>('efb:job-sent');

export interface JobReceived {
  job: string;
  store: JobStore;
  id: string;
  attempt: number;
  /** Holds ids only, like every payload. */
  payload: unknown;
  trace: Carrier | undefined;
  outcome?: string;
  error?: Error;
}

export const jobReceived = activity<JobReceived>('efb:job-received');
