const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const;

const valuesOf = (field: string, [min, max]: readonly [number, number]): Set<number> => {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const match = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part);
    if (!match) throw new Error(`not a schedule field: ${field}`);
    const [, from, to, step] = match;
    const first = from === undefined ? min : Number(from);
    const last = to !== undefined ? Number(to) : from === undefined || step !== undefined ? max : first;
    for (let value = first; value <= last; value += Number(step ?? 1)) values.add(value);
  }
  return values;
};

const minuteMs = 60_000;
const horizonMinutes = 32 * 24 * 60;

/**
 * The last time, at or before `at`, of a five-field schedule (UTC). Two schedulers whose clocks differ slightly
 * thus compute the same slot.
 */
export const slotAt = (schedule: string, at: Date): Date => {
  const fields = schedule.trim().split(/\s+/);
  const [minutes, hours, days, months, weekdays] = ranges.map((range, i) => valuesOf(fields[i] ?? '', range));
  if (fields.length !== 5 || !minutes || !hours || !days || !months || !weekdays) {
    throw new Error(`not a five-field schedule: ${schedule}`);
  }
  let time = Math.floor(at.getTime() / minuteMs) * minuteMs;
  for (let back = 0; back < horizonMinutes; back++, time -= minuteMs) {
    const date = new Date(time);
    if (
      minutes.has(date.getUTCMinutes()) &&
      hours.has(date.getUTCHours()) &&
      days.has(date.getUTCDate()) &&
      months.has(date.getUTCMonth() + 1) &&
      weekdays.has(date.getUTCDay())
    ) {
      return date;
    }
  }
  throw new Error(`the schedule ${schedule} has no time within a month`);
};

/** Minutes between the last two slots. */
export const periodMinutes = (schedule: string, at: Date): number => {
  const last = slotAt(schedule, at);
  const before = slotAt(schedule, new Date(last.getTime() - minuteMs));
  return (last.getTime() - before.getTime()) / minuteMs;
};
