import { isErrorOf } from './errors.ts';
import type { CallOptions, Caller, Input, Output } from './types.ts';

export type FlightDataRow = Output<'flightDataGet'>['data'];
export type FlightDataPayload = Input<'flightDataSave'>['payload'];

/** The section to change. */
export interface FlightDataKey {
  ofpId: string;
  dataKey?: string;
}

/** Makes the new payload from the stored one, null if there is none yet. Runs again if another device was faster. */
export type Merge = (current: FlightDataRow | null) => FlightDataPayload | Promise<FlightDataPayload>;

export interface UpdateOptions extends CallOptions {
  /** How often another device may be faster before the conflict is thrown; default 5. */
  conflicts?: number;
}

/** The payload is present, since no call here asks for `return: "head"`. */
const whole = (row: Output<'flightDataSave'>['data']): FlightDataRow => row as FlightDataRow;

const stored = async (
  client: Caller,
  key: FlightDataKey,
  options: CallOptions,
): Promise<FlightDataRow | null> => {
  try {
    return (await client.call('flightDataGet', key, options)).data;
  } catch (error) {
    if (isErrorOf(error, 'flightDataGet', 'FLIGHT_DATA_NOT_FOUND')) return null;
    throw error;
  }
};

/**
 * Reads a section, merges, and saves it with its revision; on a conflict merges again with the row in the error. No
 * other device's change is lost, and none is made twice if an answer is lost.
 */
export const updateFlightData = async (
  client: Caller,
  key: FlightDataKey,
  merge: Merge,
  { conflicts = 5, idempotencyKey, ...reading }: UpdateOptions = {},
): Promise<FlightDataRow> => {
  let current = await stored(client, key, reading);
  // For the first attempt only: after a conflict it is a different save.
  let options: CallOptions = idempotencyKey === undefined ? reading : { ...reading, idempotencyKey };
  for (let left = conflicts; ; left -= 1) {
    const payload = await merge(current);
    try {
      const input = { ...key, payload, expectedVersion: current?.version ?? 0 };
      return whole((await client.call('flightDataSave', input, options)).data);
    } catch (error) {
      // The payload was saved, but the answer is lost for good: read the stored row instead.
      const saved = isErrorOf(error, 'flightDataSave', 'IDEMPOTENT_ANSWER_LOST')
        ? await stored(client, key, reading)
        : null;
      if (saved) return saved;
      if (left <= 0 || !isErrorOf(error, 'flightDataSave', 'VERSION_CONFLICT')) throw error;
      current = whole(error.body.current);
      options = reading;
    }
  }
};
