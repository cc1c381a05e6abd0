import { commonError } from '../errors.ts';

/** Bytes of large bodies that are being received and parsed at the same time: in all, and for one client. */
export interface IntakeBounds {
  maxBytes: number;
  maxShareBytes: number;
}

export type Intake = (client: string, bytes: number) => () => void;

/**
 * Reserves memory for a body before it is read; the returned function frees it. Throws RATE_LIMITED for a client over
 * its share, SERVICE_UNAVAILABLE when there is no room, with Retry-After.
 */
export const createIntake = ({ maxBytes, maxShareBytes }: IntakeBounds): Intake => {
  const shares = new Map<string, number>();
  let total = 0;
  const headers = { 'Retry-After': '1' };
  return (client, bytes) => {
    const share = (shares.get(client) ?? 0) + bytes;
    if (share > maxShareBytes) throw commonError('RATE_LIMITED', { headers });
    if (total + bytes > maxBytes) throw commonError('SERVICE_UNAVAILABLE', { headers });
    total += bytes;
    shares.set(client, share);
    return () => {
      total -= bytes;
      const rest = (shares.get(client) ?? 0) - bytes;
      if (rest > 0) shares.set(client, rest);
      else shares.delete(client);
    };
  };
};
