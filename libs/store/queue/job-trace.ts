import type { Carrier } from '#platform/metrics/activities.ts';

/** pg-boss has no field for it; BullMQ has (`telemetry.metadata`). */
const member = '$trace';

/** The payload as it is stored: with the trace that the job belongs to, if there is one. */
export const withTrace = (payload: object, trace: Carrier | undefined): object =>
  trace === undefined ? payload : { ...payload, [member]: trace };

/** The enqueued payload and its trace; also in a process that does not trace. */
export const withoutTrace = (stored: unknown): { payload: unknown; trace: Carrier | undefined } => {
  if (typeof stored !== 'object' || stored === null || !(member in stored))
    return { payload: stored, trace: undefined };
  const { [member]: trace, ...payload } = stored;
  return { payload, trace: trace as Carrier };
};
