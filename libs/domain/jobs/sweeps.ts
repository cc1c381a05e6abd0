import { sweepExpired } from './sweep-expired.ts';
import { sweepGraphics } from './sweep-graphics.ts';
import { sweepLogs } from './sweep-logs.ts';

/** When the scheduler asks for each sweep (cron, UTC). The slot is the tick's minute. */
export const sweeps = [
  { job: sweepGraphics, schedule: '* * * * *' },
  { job: sweepExpired, schedule: '*/10 * * * *' },
  { job: sweepLogs, schedule: '17 * * * *' },
] as const;
