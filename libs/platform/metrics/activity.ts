import type { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';

export interface Watcher<Message, State> {
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

export const activity = <Message extends object>(name: string): Activity<Message> => {
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
