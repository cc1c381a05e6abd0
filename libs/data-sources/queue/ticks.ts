import { schedule } from 'node-cron';
import type { ScheduledTask } from 'node-cron';
import { slotAt } from '#domain/schedule/slots.ts';
import { addSeconds } from '#domain/time.ts';
import type { Context } from '../context.ts';

export interface Tick {
  /** Name for the log. */
  name: string;
  /** Five cron fields, UTC. */
  cron: string;
  /** Enqueues the work of one slot; the same slot from another process must be dropped by its dedupe key. */
  enqueue: (slot: Date) => Promise<unknown>;
}

/** Starts the ticks, which only enqueue. Returns a function that stops them. */
export const startTicks = (
  { clock, log }: Pick<Context, 'clock' | 'log'>,
  ticks: Iterable<Tick>,
): (() => Promise<void>) => {
  const tasks: ScheduledTask[] = [];
  for (const { name, cron, enqueue } of ticks) {
    const tick = async () => {
      try {
        // Half a second ahead, so that a timer that fires early gives the same slot.
        await enqueue(slotAt(cron, addSeconds(clock.now(), 0.5)));
      } catch (error) {
        log.warn({ tick: name, err: error }, 'tick could not be enqueued; the next one will retry');
      }
    };
    tasks.push(schedule(cron, tick, { name, timezone: 'UTC', suppressMissedWarning: true }));
  }
  return async () => {
    for (const task of tasks) await task.destroy();
  };
};
