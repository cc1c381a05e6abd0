/** A time of day in a NOTAM schedule: a fixed minute of the UTC day, or an offset from sunrise or sunset. */
export type ScheduleClock =
  | { kind: 'fixed'; minute: number }
  | { kind: 'sunrise' | 'sunset'; offsetMin: number };
