import type { DayHour, Group, ReportKind } from './groups.ts';
import { celsius, readWind } from './patterns.ts';

/** A day, hour (24 = midnight at its end) and minute; null when out of range. */
export const dayHour = (day: string | undefined, hour: string | undefined, minute = '00'): DayHour | null => {
  const at = { day: day === undefined ? null : Number(day), hour: Number(hour), minute: Number(minute) };
  return (at.day ?? 1) >= 1 && (at.day ?? 1) <= 31 && at.hour <= 24 && at.minute <= 59 ? at : null;
};

/** `1612/1718`, or `1216` in the old form with hours only. */
export const readPeriod = (core: string, oldForm: boolean): Group | null => {
  const m = /^(\d{2})(\d{2})\/(\d{2})(\d{2})$/.exec(core);
  const old = oldForm ? /^(\d{2})(\d{2})$/.exec(core) : null;
  const from = m ? dayHour(m[1], m[2]) : old ? dayHour(undefined, old[1]) : null;
  const to = m ? dayHour(m[3], m[4]) : old ? dayHour(undefined, old[2]) : null;
  return from && to ? { kind: 'validity', from, to } : null;
};

/** `FM1700`, `TL1830`, `AT0600` behind a trend word. */
export const readChangeTime = (core: string): Group | null => {
  const m = /^(FM|TL|AT)(\d{2})(\d{2})Z?$/.exec(core);
  if (!m || Number(m[2]) > 24 || Number(m[3]) > 59) return null;
  return { kind: 'changeTime', which: m[1] as 'FM' | 'TL' | 'AT', hour: Number(m[2]), minute: Number(m[3]) };
};

/** Groups that occur only in forecasts, and wind shear at a height. */
export const readSpecial = (core: string, kind: ReportKind): Group | null => {
  const shear = /^WS(\d{3})\/(\S+)$/.exec(core);
  if (shear) {
    const wind = readWind(shear[2] ?? '');
    return wind ? { kind: 'windShear', runway: null, heightFt: Number(shear[1]) * 100, wind } : null;
  }
  if (kind === 'METAR') return null;
  const extreme = /^T(X|N)(M?)(\d{2})\/(?:(\d{2}))?(\d{2})Z?$/.exec(core);
  if (extreme) {
    const temperatureC = celsius(extreme[2], extreme[3]) ?? 0;
    const which = extreme[1] === 'X' ? 'max' : 'min';
    return { kind: 'extremeTemperature', which, temperatureC, at: dayHour(extreme[4], extreme[5]) };
  }
  return /^[56]\d{5}$/.test(core) ? { kind: 'icingTurbulence' } : null;
};

/** Whether the word begins a TAF change group, also within remarks. */
export const startsTafChange = (cores: readonly string[], i: number): boolean => {
  const core = cores[i] ?? '';
  if (/^FM\d{6}$/.test(core)) return true;
  const period = (word: string | undefined): boolean => /^\d{4}\/\d{4}$/.test(word ?? '');
  if (/^(?:TEMPO|BECMG|INTER)$/.test(core)) return period(cores[i + 1]);
  return /^PROB\d{2}$/.test(core) && (period(cores[i + 1]) || period(cores[i + 2]));
};
