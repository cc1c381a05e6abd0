import type { RunwayStateGroup, WeatherGroup } from './groups.ts';
import type { Report } from './report.ts';

/** Condition names for dispatch calculations. */
export type DispatchCondition =
  | 'DRY'
  | 'WET'
  | 'STANDING_WATER'
  | 'SLUSH'
  | 'DRY_SNOW'
  | 'WET_SNOW'
  | 'COMPACTED_SNOW'
  | 'ICE';

/** Condition names for the landing distance at time of arrival, by runway condition code 6 to 1. */
export const enrouteByCode = {
  6: 'DRY',
  5: 'GOOD',
  4: 'GOOD_TO_MEDIUM',
  3: 'MEDIUM',
  2: 'MEDIUM_TO_POOR',
  1: 'POOR',
} as const;
type Code = keyof typeof enrouteByCode;
export type EnrouteCondition = (typeof enrouteByCode)[Code];

export interface RunwayCondition {
  /** Null when the runway is closed by snow. */
  takeoffDispatch: DispatchCondition | null;
  landingDispatch: DispatchCondition | null;
  landingEnroute: EnrouteCondition | null;
  /** The word of the report that decided, null when the weather is dry. */
  evidence: string | null;
}

interface Finding {
  condition: DispatchCondition;
  code: Code;
  evidence: string | null;
}

const dry: Finding = { condition: 'DRY', code: 6, evidence: null };

/** At or below this depth, braking on snow, slush and water is as on a wet runway. */
const thinLayerMm = 3;
const coldCompactedSnowC = -15;

interface Rule {
  applies: (weather: WeatherGroup, spot: Spot) => boolean;
  condition: (temperatureC: number | null) => DispatchCondition;
  code: (temperatureC: number | null) => Code;
}

interface Spot {
  temperatureC: number | null;
  dewpointC: number | null;
  visibilityM: number | null;
}

const has = (weather: WeatherGroup, ...codes: string[]): boolean =>
  codes.some((c) => weather.phenomena.includes(c));
const above = (limitC: number, temperatureC: number | null): boolean =>
  temperatureC !== null && temperatureC > limitC;
const snow = (temperatureC: number | null): DispatchCondition =>
  temperatureC !== null && temperatureC <= -1 ? 'DRY_SNOW' : 'WET_SNOW';

/** Runway condition caused by present weather; the first rule that applies to a group counts. */
const rules: readonly Rule[] = [
  {
    applies: (w) => w.descriptor === 'FZ' && has(w, 'RA', 'DZ', 'UP'),
    condition: () => 'ICE',
    code: () => 1,
  },
  { applies: (w) => has(w, 'SN') && has(w, 'RA', 'DZ'), condition: () => 'SLUSH', code: () => 2 },
  {
    applies: (w, s) =>
      has(w, 'SN') && w.descriptor !== 'DR' && (w.intensity !== '-' || above(1, s.temperatureC)),
    condition: snow,
    code: () => 3,
  },
  { applies: (w) => has(w, 'SN', 'SG', 'IC'), condition: snow, code: () => 5 },
  {
    applies: (w) => has(w, 'PL', 'GS', 'GR'),
    condition: (t) => (above(2, t) ? 'WET' : 'SLUSH'),
    code: (t) => (above(2, t) ? 5 : 3),
  },
  { applies: (w) => w.intensity === '+' && has(w, 'RA'), condition: () => 'WET', code: () => 2 },
  { applies: (w, s) => has(w, 'UP') && !above(3, s.temperatureC), condition: snow, code: () => 3 },
  { applies: (w) => has(w, 'RA', 'DZ', 'UP'), condition: () => 'WET', code: () => 5 },
  {
    applies: (w) => has(w, 'FG') && !['MI', 'BC', 'PR'].includes(w.descriptor),
    condition: () => 'WET',
    code: () => 5,
  },
  { applies: (w, s) => has(w, 'BR') && (dense(s) || frosty(s)), condition: () => 'WET', code: () => 5 },
];

const dense = (s: Spot): boolean => s.visibilityM !== null && s.visibilityM <= 1_600;
const frosty = (s: Spot): boolean =>
  s.temperatureC !== null && s.temperatureC <= 0 && s.dewpointC !== null && s.temperatureC - s.dewpointC <= 1;

/**
 * Runway condition for the three uses, from a report alone. A runway state group for this runway (or its other
 * end, or all runways) decides; without one, or where it is dry, present and recent weather; without either, dry.
 */
export const runwayCondition = (report: Report, runwayId: string): RunwayCondition => {
  const state = stateFor(report.runwayStates, runwayId);
  if (state?.closed) {
    return { takeoffDispatch: null, landingDispatch: null, landingEnroute: null, evidence: 'SNOCLO' };
  }
  const weather = fromWeather(report);
  const stated = (state && fromState(state, report.temperatureC)) ?? weather;
  // A runway that was dry or cleared when it was inspected does not stay so in precipitation.
  const finding = stated.condition === 'DRY' ? weather : stated;
  const capped = state ? brakingCap(state, finding) : finding;
  return {
    takeoffDispatch: capped.condition,
    landingDispatch: capped.condition,
    landingEnroute: enrouteByCode[capped.code],
    evidence: capped.evidence,
  };
};

const fromWeather = (report: Report): Finding => {
  const { main, temperatureC, dewpointC } = report;
  const spot: Spot = {
    temperatureC,
    dewpointC,
    visibilityM: main.cavok ? 9_999 : (main.visibility?.metres ?? null),
  };
  // Recent weather has ended: its deposit counts like that of light weather.
  const recent = report.recentWeather.map((w): WeatherGroup => ({
    ...w,
    intensity: '-',
    code: `RE${w.code}`,
  }));
  let worst = dry;
  for (const group of [...main.weather, ...recent]) {
    if (group.intensity === 'VC') continue;
    const rule = rules.find((r) => r.applies(group, spot));
    if (!rule) continue;
    const code = rule.code(temperatureC);
    if (code < worst.code) worst = { condition: rule.condition(temperatureC), code, evidence: group.code };
  }
  return worst;
};

/** The finding of a state group; null when it names no deposit. */
const fromState = (state: RunwayStateGroup, temperatureC: number | null): Finding | null => {
  const thick = (state.depthMm ?? 0) > thinLayerMm;
  const found = (condition: DispatchCondition, code: Code): Finding => ({
    condition,
    code,
    evidence: 'runway state',
  });
  if (state.cleared || state.deposit === 0) return found('DRY', 6);
  // A deposit with coverage 0 contradicts itself: the weather decides.
  if (state.deposit === null || state.coverage === 0) return null;
  // A quarter of the runway or less does not count as contaminated.
  if (state.coverage === 1 || state.coverage === 2) return found('WET', 5);
  switch (state.deposit) {
    case 2:
      return thick ? found('STANDING_WATER', 2) : found('WET', 5);
    case 4:
      return found('DRY_SNOW', thick ? 3 : 5);
    case 5:
      return found('WET_SNOW', thick ? 3 : 5);
    case 6:
      return found('SLUSH', thick ? 2 : 5);
    case 7:
    case 9:
      return found('ICE', 1);
    case 8:
      return found('COMPACTED_SNOW', temperatureC !== null && temperatureC <= coldCompactedSnowC ? 4 : 3);
    default:
      return found('WET', 5);
  }
};

/** Lowest friction coefficient (hundredths) of each code from 5: the correlation of ICAO Annex 15 (SNOWTAM) and WMO table 0366. */
const lowestCoefficients: readonly (readonly [Code, number])[] = [
  [5, 40],
  [4, 36],
  [3, 30],
  [2, 26],
];

/** The code of a reported friction coefficient 0.00 to 0.90 or braking action 91 (poor) to 95 (good); null of any other value. */
const codeOfBraking = (braking: number | null): Code | null => {
  if (braking === null) return null;
  if (braking >= 91) return braking <= 95 ? ((braking - 90) as Code) : null;
  return lowestCoefficients.find(([, lowest]) => braking >= lowest)?.[0] ?? 1;
};

/** A state without depth that is no better than the code. */
const surfaceOfCode: Record<Exclude<Code, 5 | 6>, DispatchCondition> = {
  4: 'COMPACTED_SNOW',
  3: 'COMPACTED_SNOW',
  2: 'ICE',
  1: 'ICE',
};

/** Reported friction and braking action can make the code worse, never better; good does not make a dry runway wet. */
const brakingCap = ({ braking }: RunwayStateGroup, finding: Finding): Finding => {
  const cap = codeOfBraking(braking);
  if (cap === null || cap >= finding.code || (cap === 5 && finding.condition === 'DRY')) return finding;
  const evidence =
    (braking ?? 0) >= 91 ? `braking ${braking}` : `friction coefficient ${((braking ?? 0) / 100).toFixed(2)}`;
  const isBare = finding.condition === 'DRY' || finding.condition === 'WET';
  return {
    condition: isBare && cap < 5 ? surfaceOfCode[cap as 1 | 2 | 3 | 4] : finding.condition,
    code: cap,
    evidence,
  };
};

/** The state group that applies to a runway: itself, its other end, its number, all runways, a repeated report, the aerodrome. */
export const stateFor = (states: readonly RunwayStateGroup[], runwayId: string): RunwayStateGroup | null => {
  const id = runwayId.toUpperCase().padStart(/[LCR]$/i.test(runwayId) ? 3 : 2, '0');
  const number = id.slice(0, 2);
  const wanted = [id, otherEnd(id), number, otherEnd(number), 'ALL', 'LAST', null];
  for (const designator of wanted) {
    const state = states.find((s) => s.runway === designator);
    if (state) return state;
  }
  return null;
};

const otherEnd = (id: string): string => {
  const number = ((Number(id.slice(0, 2)) + 17) % 36) + 1;
  const side = { L: 'R', R: 'L', C: 'C' }[id.slice(2)] ?? '';
  return `${String(number).padStart(2, '0')}${side}`;
};
