/** Time in wire format, always UTC. Every function takes the clock as an argument; none is read here. */
export interface Clock {
  now: () => Date;
}

export const minuteMs = 60_000;
export const hourMs = 3_600_000;
export const dayMs = 86_400_000;
export const daySeconds = 86_400;

/** `YYYY-MM-DD HH:MM:SS` (M-2.1.6). */
export const wireTime = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ');

/** `YYYY-MM-DDTHH:MM:SSZ`, of milliseconds or a date. */
export const isoSeconds = (at: Date | number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

export const wireTimeOrNull = (date: Date | null | undefined): string | null =>
  date ? wireTime(date) : null;

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);

/** Rounds up to a whole second. */
export const nextSecond = (date: Date): Date => new Date(Math.ceil(date.getTime() / 1_000) * 1_000);

export const daysBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / dayMs;

/** A time from before a clock was set back counts as now, so that no age is negative. */
export const notAfter = <T extends Date | null>(at: T, now: Date): T | Date =>
  at !== null && at > now ? now : at;
