/** Bytes of large bodies that are received and parsed at the same time, in all and of one client. */
import { commonError } from '../errors.ts';

const maxBytes = 33_554_432;
const maxShareBytes = 16_777_216;

const shares = new Map<string, number>();
let total = 0;

const add = (client: string, bytes: number): void => {
  total += bytes;
  const share = (shares.get(client) ?? 0) + bytes;
  if (share === 0) shares.delete(client);
  else shares.set(client, share);
};

/** Throws RATE_LIMITED for a client over its share, SERVICE_UNAVAILABLE without memory for anyone. */
export const takeMemory = (client: string, bytes: number): void => {
  const headers = { 'Retry-After': '1' };
  if ((shares.get(client) ?? 0) + bytes > maxShareBytes) throw commonError('RATE_LIMITED', { headers });
  if (total + bytes > maxBytes) throw commonError('SERVICE_UNAVAILABLE', { headers });
  add(client, bytes);
};

export const freeMemory = (client: string, bytes: number): void => add(client, -bytes);
