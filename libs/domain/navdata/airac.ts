/** AIRAC cycles: 28 days from a Thursday, named by year and ordinal (`2608` starts on 2026-08-06). */
import { dayMs } from '../time.ts';

interface AiracCycle {
  id: string;
  /** 00:00 UTC on the effective date. */
  startsAt: Date;
  /** Start of the next cycle, exclusive. */
  endsAt: Date;
}

const cycleMs = 28 * dayMs;
/** 2024-01-25, start of cycle 2401. */
const anchorMs = Date.UTC(2024, 0, 25);

const cycleStarting = (startMs: number): AiracCycle => {
  const startsAt = new Date(startMs);
  const year = startsAt.getUTCFullYear();
  const dayOfYear = Math.floor((startMs - Date.UTC(year, 0, 1)) / dayMs);
  const ordinal = Math.floor(dayOfYear / 28) + 1;
  return {
    id: `${String(year % 100).padStart(2, '0')}${String(ordinal).padStart(2, '0')}`,
    startsAt,
    endsAt: new Date(startMs + cycleMs),
  };
};

/** The cycle in effect at this time. */
export const airacCycleAt = (time: Date): AiracCycle =>
  cycleStarting(anchorMs + Math.floor((time.getTime() - anchorMs) / cycleMs) * cycleMs);

/** The cycle with this name, `2608`, between 1990 and 2089; null if it does not exist. */
export const airacCycleById = (id: string): AiracCycle | null => {
  const match = /^(\d\d)(\d\d)$/.exec(id);
  if (!match) return null;
  const short = Number(match[1]);
  const year = short >= 90 ? 1900 + short : 2000 + short;
  const first = airacCycleAt(new Date(Date.UTC(year, 0, 28)));
  const cycle = cycleStarting(first.startsAt.getTime() + (Number(match[2]) - 1) * cycleMs);
  return cycle.id === id ? cycle : null;
};

/** `2026-08-06/2026-09-03`: effective date of this cycle and of the next. */
export const cyclePeriod = (cycle: AiracCycle): string =>
  `${cycle.startsAt.toISOString().slice(0, 10)}/${cycle.endsAt.toISOString().slice(0, 10)}`;
