import { dry } from './condition-names.ts';
import type { Code, DispatchCondition, KnownCondition, RunwayCondition } from './condition-names.ts';
import { brakingCap, findingOfState, statesFor } from './condition-of-state.ts';
import type { RunwayStateGroup, WeatherGroup } from './groups.ts';
import type { Report } from './report.ts';

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

type Rule = readonly [
  applies: (weather: WeatherGroup, spot: Spot) => boolean,
  causes: (temperatureC: number | null) => readonly [DispatchCondition, Code],
];

/** Runway conditions caused by present weather; the first rule that applies to a group counts. */
const rules: readonly Rule[] = [
  [(w) => w.descriptor === 'FZ' && has(w, 'RA', 'DZ', 'UP'), () => ['ICE', 1]],
  // Melting snow is slush or wet snow; slush is the worse.
  [
    (w, s) => has(w, 'SN') && (has(w, 'RA', 'DZ') || (w.descriptor !== 'DR' && above(1, s.temperatureC))),
    () => ['SLUSH', 2],
  ],
  [(w) => has(w, 'SN') && w.descriptor !== 'DR' && w.intensity !== '-', (t) => [snow(t), 3]],
  [(w) => has(w, 'SN', 'SG', 'IC'), (t) => [snow(t), 5]],
  [(w) => w.intensity === '+' && has(w, 'RA'), () => ['WET', 2]],
  [(w) => has(w, 'PL', 'GS', 'GR'), (t) => (above(2, t) ? ['WET', 5] : ['SLUSH', 3])],
  [(w, s) => has(w, 'UP') && !above(3, s.temperatureC), (t) => [snow(t), 3]],
  [(w) => has(w, 'RA', 'DZ', 'UP'), () => ['WET', 5]],
  [(w) => has(w, 'FG') && !['MI', 'BC', 'PR'].includes(w.descriptor), () => ['WET', 5]],
  [(w, s) => has(w, 'BR') && (dense(s) || frosty(s)), () => ['WET', 5]],
];

const dense = (s: Spot): boolean => s.visibilityM !== null && s.visibilityM <= 1_600;
const frosty = (s: Spot): boolean =>
  s.temperatureC !== null && s.temperatureC <= 0 && s.dewpointC !== null && s.temperatureC - s.dewpointC <= 1;

/**
 * Runway condition for the three uses, from a report alone. State groups for this runway (or its other end, or all
 * runways) decide, the worst first; without one, or if dry, present and recent weather; otherwise dry.
 */
export const runwayCondition = (report: Report, runwayId: string): RunwayCondition =>
  statesFor(report.runwayStates, runwayId)
    .map((state) => conditionOf(report, state))
    .toSorted((a, b) => (a.code ?? 0) - (b.code ?? 0))[0] ?? conditionOf(report, null);

const conditionOf = (report: Report, state: RunwayStateGroup | null): RunwayCondition => {
  if (state?.closed) return { ...dry, dispatch: null, code: null, isOfRunway: true, evidence: 'SNOCLO' };
  const weather = fromWeather(report);
  const stated = (state && findingOfState(state, report.temperatureC)) ?? weather;
  // A runway found dry or cleared does not stay so in precipitation.
  const finding = stated.dispatch === 'DRY' ? weather : stated;
  const capped = state ? brakingCap(state, finding) : finding;
  const isUnknown = report.nil || report.isWeatherMissing || state !== null;
  return { ...capped, isAssumed: capped === dry && stated === weather && isUnknown };
};

/** Combines rain and snow that are reported in separate groups. */
const together = (groups: readonly WeatherGroup[]): WeatherGroup[] => {
  const [rain, snowing] = [groups.find((w) => has(w, 'RA', 'DZ')), groups.find((w) => has(w, 'SN'))];
  if (!rain || !snowing || rain === snowing) return [];
  return [
    {
      ...snowing,
      code: `${rain.code} ${snowing.code}`,
      phenomena: [...rain.phenomena, ...snowing.phenomena],
    },
  ];
};

const fromWeather = (report: Report): KnownCondition => {
  const { main, temperatureC, dewpointC } = report;
  const spot: Spot = {
    temperatureC,
    dewpointC,
    visibilityM: main.cavok ? 9_999 : (main.visibility?.metres ?? null),
  };
  // Recent weather has ended, so its deposit counts like that of light weather.
  const recent = report.recentWeather.map((w): WeatherGroup => ({
    ...w,
    intensity: '-',
    code: `RE${w.code}`,
  }));
  let worst = dry;
  const present = main.weather.filter(({ intensity }) => intensity !== 'VC');
  for (const group of [...together(present), ...present, ...recent]) {
    const [, causes] = rules.find(([applies]) => applies(group, spot)) ?? [];
    const [dispatch, code] = causes?.(temperatureC) ?? ['DRY', 6];
    if (code < worst.code) worst = { ...dry, dispatch, code, evidence: group.code };
  }
  return worst;
};

const icingBelowC = 10;
const lowVisibilityM = 1_600;
const precipitation = new Set(['DZ', 'RA', 'SN', 'SG', 'IC', 'PL', 'GR', 'GS', 'UP']);

/**
 * Icing conditions on the ground: 10 C or less together with precipitation at the station, fog, mist or freezing
 * weather with at most 1,600 m, or a runway that is not dry. False without a temperature.
 */
export const icing = (report: Report, condition: RunwayCondition): boolean => {
  const { temperatureC, main } = report;
  if (temperatureC === null || temperatureC > icingBelowC) return false;
  if (condition.code !== 6) return true;
  const low = !main.cavok && (main.visibility?.metres ?? Infinity) <= lowVisibilityM;
  return main.weather.some(({ intensity, descriptor, phenomena }) => {
    if (intensity === 'VC') return false;
    if (descriptor === 'SH' || phenomena.some((p) => precipitation.has(p))) return true;
    if (phenomena.includes('FG')) return !['MI', 'BC', 'PR'].includes(descriptor);
    return low && (descriptor === 'FZ' || phenomena.includes('BR'));
  });
};
