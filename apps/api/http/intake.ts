import { commonError } from '../errors.ts';

/** Bytes of large bodies that are being received and parsed at the same time: in all, and for one client. */
export interface IntakeBounds {
  maxBytes: number;
  maxShareBytes: number;
}

/** What one body holds of the room. */
export interface Place {
  /** Takes room for bytes that have arrived. Throws SERVICE_UNAVAILABLE when there is none. */
  take: (bytes: number) => void;
  leave: () => void;
}

/** Lets a client send a body of up to `bytes`. Throws RATE_LIMITED for a client over its share, else like `take`. */
export type Intake = (client: string, bytes: number) => Place;

/** Of the room, for clients with a single body: those with several leave it to them. */
const keptShare = 0.25;

/**
 * Memory for bodies: a client's share counts what it has announced, the room only what has arrived, so that an
 * announcement occupies none of it.
 */
export const createIntake = ({ maxBytes, maxShareBytes }: IntakeBounds): Intake => {
  const clients = new Map<string, { announced: number; bodies: number }>();
  let total = 0;
  const headers = { 'Retry-After': '1' };
  return (name, announced) => {
    const client = clients.get(name) ?? { announced: 0, bodies: 0 };
    if (client.announced + announced > maxShareBytes) throw commonError('RATE_LIMITED', { headers });
    const assertRoom = (bytes: number): void => {
      const roomBytes = client.bodies > 1 ? maxBytes * (1 - keptShare) : maxBytes;
      if (total + bytes > roomBytes) throw commonError('SERVICE_UNAVAILABLE', { headers });
    };
    client.announced += announced;
    client.bodies += 1;
    clients.set(name, client);
    let taken = 0;
    const leave = (): void => {
      total -= taken;
      client.announced -= announced;
      client.bodies -= 1;
      if (client.bodies === 0) clients.delete(name);
    };
    try {
      assertRoom(announced);
    } catch (error) {
      leave();
      throw error;
    }
    return {
      take: (bytes) => {
        assertRoom(bytes);
        total += bytes;
        taken += bytes;
      },
      leave,
    };
  };
};
