/** Bodies that come in too slowly are ended: each holds a connection, a large one memory that others need. */
import type { IncomingMessage } from 'node:http';
import { commonError } from '../errors.ts';
import type { ApiError } from '../errors.ts';

/** Every second a body has to bring as much, or uses up what it has brought more than that. */
const bytesPerSecond = 65_536;
/** As many seconds may pass without a byte. */
const graceSeconds = 5;

interface Pace {
  readonly request: IncomingMessage;
  readonly fail: (error: ApiError) => void;
  bytesBefore: number;
  /** Bytes that it may fall behind. */
  creditBytes: number;
}

const paces = new Set<Pace>();
let timer: NodeJS.Timeout | undefined;

const tooSlow = (): ApiError =>
  commonError('REQUEST_TIMEOUT', {
    message: `The body came in too slowly. After ${graceSeconds} seconds send ${bytesPerSecond / 1_024} kB a second or more.`,
    headers: { Connection: 'close' },
  });

/** Counts turns, not time: after a turn that was late, what has arrived meanwhile is read before the next one. */
const turn = (): void => {
  for (const pace of paces) {
    const { bytesRead } = pace.request.socket;
    const gained = pace.creditBytes + bytesRead - pace.bytesBefore;
    pace.creditBytes = Math.min(gained, graceSeconds * bytesPerSecond) - bytesPerSecond;
    pace.bytesBefore = bytesRead;
    if (pace.creditBytes >= 0) continue;
    paces.delete(pace);
    pace.fail(tooSlow());
  }
  if (paces.size > 0) return;
  clearInterval(timer);
  timer = undefined;
};

/** `fail` is called once when the body of the request is too slow. The returned function ends the watch. */
export const watchPace = (request: IncomingMessage, fail: (error: ApiError) => void): (() => void) => {
  const creditBytes = (graceSeconds + 1) * bytesPerSecond;
  const pace: Pace = { request, fail, bytesBefore: request.socket.bytesRead, creditBytes };
  paces.add(pace);
  timer ??= setInterval(turn, 1_000).unref();
  return () => void paces.delete(pace);
};
