export type ReportKind = 'METAR' | 'TAF';

/** A wind as printed and in knots. */
export interface WindGroup {
  kind: 'wind';
  /** Degrees true; null when variable or not reported. */
  directionDeg: number | null;
  variable: boolean;
  /** Knots, not rounded (MPS and KMH are converted); null when not reported. */
  speedKt: number | null;
  /** Knots; null without gusts or with unreported ones (`G//`). */
  gustKt: number | null;
  isGustMissing: boolean;
  /** True when a speed or gust is printed with P: more than the value. */
  above: boolean;
}

export interface VisibilityGroup {
  kind: 'visibility';
  /** Metres, rounded; null when not reported. 9999 means 10 km or more. */
  metres: number | null;
  /** Statute miles as printed, null in reports in metres. */
  statuteMiles: number | null;
  bound: 'above' | 'below' | null;
  /** Compass direction of a directional (usually lowest) visibility. */
  direction: string | null;
}

export interface RvrGroup {
  kind: 'rvr';
  runway: string;
  /** Metres; the lower value when the range varies. */
  minM: number;
  maxM: number;
  bound: 'above' | 'below' | null;
  tendency: 'U' | 'D' | 'N' | null;
}

export interface WeatherGroup {
  kind: 'weather';
  /** As printed, e.g. `-SHRA`. */
  code: string;
  intensity: '' | '-' | '+' | 'VC';
  descriptor: string;
  phenomena: string[];
}

export interface CloudGroup {
  kind: 'cloud';
  /** FEW, SCT, BKN, OVC; null when the amount is not reported (`///CB`). */
  amount: string | null;
  /** Feet above the aerodrome, null when not reported. */
  baseFt: number | null;
  /** CB, TCU or another cloud type, null when none is printed. */
  type: string | null;
}

export interface RunwayStateGroup {
  kind: 'runwayState';
  /** Designator (`07L`), `ALL`, `LAST` (repetition of the last report) or null for the aerodrome. */
  runway: string | null;
  /** Runway ends of the aerodrome that `runway` may mean; empty: it may be any; absent: as printed. */
  runwayEnds?: readonly string[];
  /** Deposit digit 0 to 9, null when not reported. */
  deposit: number | null;
  /** Coverage digit 0, 1, 2, 5, 9, null when not reported. */
  coverage: number | null;
  /** Depth in mm (0 = below 1 mm), null when not reported, not significant or not operational. */
  depthMm: number | null;
  /** Estimated braking action 91 to 95 or friction coefficient times 100, as printed. */
  braking: number | null;
  /** CLRD: the contamination has ceased to exist. */
  cleared: boolean;
  /** SNOCLO, or depth 99: closed by snow or not operational. */
  closed: boolean;
}

export type Group =
  | WindGroup
  | VisibilityGroup
  | RvrGroup
  | WeatherGroup
  | CloudGroup
  | RunwayStateGroup
  | { kind: 'temperature'; temperatureC: number | null; dewpointC: number | null }
  /** hPa, or inches of mercury times 100; null when not reported. */
  | { kind: 'pressure'; unit: 'hPa' | 'inHg'; value: number | null }
  | { kind: 'type'; word: 'METAR' | 'SPECI' | 'TAF' }
  | { kind: 'station'; icao: string }
  | { kind: 'time'; day: number; hour: number; minute: number }
  | { kind: 'validity'; from: DayHour; to: DayHour }
  | { kind: 'modifier'; word: 'AUTO' | 'COR' | 'AMD' | 'NIL' | 'CNL' | 'RTD' }
  | { kind: 'windVariation'; fromDeg: number; toDeg: number }
  | { kind: 'cavok' }
  /** SKC, CLR, NSC, NCD: no cloud layers. */
  | { kind: 'noCloud'; word: string }
  | { kind: 'noSignificantWeather' }
  | { kind: 'verticalVisibility'; feet: number | null }
  | { kind: 'recentWeather'; weather: WeatherGroup }
  /** METAR: the affected runway (null = all). TAF: the height, and the wind at that height. */
  | { kind: 'windShear'; runway: string | null; heightFt: number | null; wind: WindGroup | null }
  | { kind: 'colour'; state: string }
  | { kind: 'seaState'; seaTemperatureC: number | null }
  | { kind: 'rainfall' }
  | { kind: 'icingTurbulence' }
  | { kind: 'extremeTemperature'; which: 'max' | 'min'; temperatureC: number; at: DayHour | null }
  | {
      kind: 'change';
      change: 'NOSIG' | 'TEMPO' | 'BECMG' | 'INTER' | 'PROB' | 'FM';
      probability: number | null;
      from: DayHour | null;
    }
  /** A TAF period without TEMPO, BECMG or the like: the groups after it are not read. */
  | { kind: 'unreadPeriod'; from: DayHour }
  | { kind: 'changeTime'; which: 'FM' | 'TL' | 'AT'; hour: number; minute: number }
  | { kind: 'remarkStart' }
  | { kind: 'remark' }
  | { kind: 'maintenance' }
  /** Slashes only: a group that the station could not report. */
  | { kind: 'missing' }
  /** Only an extra blank. */
  | { kind: 'blank' }
  | { kind: 'unknown' };

/** A day of the month and time; `day` is null in old forms that print only hours. */
export interface DayHour {
  day: number | null;
  hour: number;
  minute: number;
}

export type Section = 'header' | 'body' | 'change' | 'unread' | 'remarks' | 'other';

export interface Token {
  /** As printed, without the blank behind it. */
  text: string;
  spaceSuffix: boolean;
  section: Section;
  group: Group;
  /** True for all but the first word of a group; `group` is then that of the first word. */
  continued: boolean;
}
