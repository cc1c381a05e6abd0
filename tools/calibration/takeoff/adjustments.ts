import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { toKelvin } from '#perf/kernel/atmosphere.ts';
import { largest } from '#perf/kernel/search.ts';
import { ftToM, ktToMps } from '#perf/kernel/units.ts';
import { calculateTakeoff } from '#perf/takeoff/calculate.ts';
import type { LimitWeights, TakeoffCase, TakeoffResult } from '#perf/takeoff/types.ts';
import { isaC, number, rowsOf } from './points.ts';
import type { Row } from './points.ts';
import type { TakeoffGroup } from './report-takeoff.ts';

/** Conditions of an adjustment; absent ones are dry, level, calm, at sea level and 15 °C, with packs on. */
interface Conditions {
  flap: string;
  lengthM: number;
  altitudeFt?: number;
  celsius?: number;
  headwindKt?: number;
  state?: string;
  depthMm?: number;
  packsOff?: boolean;
  antiIce?: string;
  massKg?: number;
  obstacles?: TakeoffCase['obstacles'];
}

const resultOf = (profile: AircraftProfile, at: Conditions): TakeoffResult | null => {
  const { lengthM, altitudeFt = 0, celsius = 15, headwindKt = 0, state = 'DRY', depthMm = 0 } = at;
  const outcome = calculateTakeoff(profile, {
    runway: { toraM: lengthM, todaM: lengthM, asdaM: lengthM, elevationM: ftToM(altitudeFt), slope: 0 },
    weather: { temperatureK: toKelvin(celsius), qnhPa: 101_325, headwindMps: ktToMps(headwindKt) },
    condition: { state, depthM: depthMm / 1000 },
    configuration: {
      flap: at.flap,
      packsOff: at.packsOff ?? false,
      antiIce: at.antiIce ?? 'OFF',
      fullThrust: true,
    },
    obstacles: at.obstacles ?? [],
    ...(at.massKg === undefined ? {} : { massKg: at.massKg }),
  });
  return outcome.ok ? outcome.result : null;
};

const limitsOf = (profile: AircraftProfile, at: Conditions): LimitWeights | null =>
  resultOf(profile, at)?.limits ?? null;

/** Change of the field limit (t) by a surface; null: not limiting, or outside the envelope. */
const surfaceLossT = (profile: AircraftProfile, at: Conditions, state: string, depthMm: number) => {
  const [dry, other] = [limitsOf(profile, at), limitsOf(profile, { ...at, state, depthMm })];
  return dry?.fieldKg && other?.fieldKg !== undefined
    ? ((other.fieldKg ?? Infinity) - dry.fieldKg) / 1000
    : null;
};

type ErrorsT = (number | null)[];

/**
 * Slush and water corrections by dry limit weight, on the runway that gives this weight at standard
 * temperature.
 */
const slush737 = async (folder: string, profile: AircraftProfile): Promise<ErrorsT> =>
  (await rowsOf(folder, '737-8-slush-weight-adjustment')).map((row) => {
    const altitudeFt = number(row, 'press_alt_ft');
    const at = { flap: '5', altitudeFt, celsius: isaC(altitudeFt) };
    const dryKg = 1000 * number(row, 'dry_field_limit_1000kg');
    const isShort = (lengthM: number): boolean =>
      (limitsOf(profile, { ...at, lengthM })?.fieldKg ?? Infinity) <= dryKg;
    const lengthM = largest(500, 12_000, isShort, 1);
    const lossT = lengthM && surfaceLossT(profile, { ...at, lengthM }, 'SLUSH', number(row, 'depth_mm'));
    // Below the empty weight V1(MCG) limits, which has a table of its own.
    return lossT === null || dryKg + 1000 * lossT < profile.weight.oew
      ? null
      : lossT - number(row, 'weight_adjustment_1000kg');
  });

const neoStates: Readonly<Record<string, string>> = {
  water: 'STANDING_WATER',
  slush: 'SLUSH',
  'wet snow': 'WET_SNOW',
  'dry snow': 'DRY_SNOW',
  'compacted snow': 'COMPACTED_SNOW',
};

/** Surface and flap of a row for contaminated runways. */
const neoAt = (row: Row): { state: string; depthMm: number; flap: string } => {
  const [, depth = '0', surface = ''] = /^(?:([\d.]+) mm )?(.*)$/.exec(row['surface'] ?? '') ?? [];
  const flap = row['conf'] === '1' ? '1+F' : (row['conf'] ?? '');
  return { state: neoStates[surface] ?? '', depthMm: Number(depth), flap };
};

const contaminatedNeo = async (folder: string, profile: AircraftProfile): Promise<ErrorsT> =>
  (await rowsOf(folder, 'a320-251n-contaminated'))
    .filter((row) => row['tora_m'] !== '')
    .map((row) => {
      const { state, depthMm, flap } = neoAt(row);
      const at = { flap, lengthM: number(row, 'tora_m'), packsOff: true };
      const lossT = surfaceLossT(profile, at, state, depthMm);
      return lossT === null ? null : lossT + number(row, 'weight_correction_kg') / 1000;
    });

/** A runway that does not limit any published speed, m. */
const longM = 6000;

const contaminatedSpeeds =
  (column: string, of: 'v1Kt' | 'vrKt' | 'v2Kt') =>
  async (folder: string, profile: AircraftProfile): Promise<ErrorsT> =>
    (await rowsOf(folder, 'a320-251n-contaminated'))
      .filter((row) => row['tow_kg'] !== '')
      .map((row) => {
        const at = { ...neoAt(row), lengthM: longM, packsOff: true, massKg: number(row, 'tow_kg') };
        const speeds = resultOf(profile, at)?.full?.speeds;
        return speeds ? speeds[of] - number(row, column) : null;
      });

/** Changes of limit weights by packs and anti-ice, on a runway and in air that do not affect the tables. */
const bleed = async (folder: string, profile: AircraftProfile): Promise<ErrorsT> =>
  (await rowsOf(folder, 'boeing-bleed-adjustment'))
    .filter((row) => row['profile'] === profile.id)
    .map((row) => {
      const [kind, surface] = (row['limit'] ?? '').split(' ');
      const item = row['item'] ?? '';
      const antiIce = item.startsWith('packs') ? 'OFF' : item.includes('wing') ? 'ENGINE_WING' : 'ENGINE';
      const at = { flap: row['flap'] ?? '', lengthM: 2200, state: surface === 'wet' ? 'WET' : 'DRY' };
      const weightKg = (change: Partial<Conditions>): number | null => {
        const limits = limitsOf(profile, { ...at, ...change });
        return (kind === 'climb' ? limits?.climbKg : limits?.fieldKg) ?? null;
      };
      const capKg = profile.takeoffPerformance?.mostPublishedKg.climb;
      const [on, off] = [weightKg({}), weightKg({ packsOff: item.startsWith('packs'), antiIce })];
      return on === null || off === null || on === capKg ? null : (off - on - number(row, 'delta_kg')) / 1000;
    });

const wetAirbus = async (folder: string, profile: AircraftProfile): Promise<ErrorsT> =>
  (await rowsOf(folder, 'airbus-corrections'))
    .filter((row) => row['profile'] === profile.id && row['item'] === 'wet weight decrement')
    .map((row) => {
      const at = { flap: row['conf'] ?? '', lengthM: number(row, 'runway_length_m') };
      const lossT = surfaceLossT(profile, at, 'WET', 0);
      return lossT === null ? null : lossT + number(row, 'value') / 1000;
    });

/** Near and far obstacles, and runway lengths, between which the published adjustments do not distinguish. */
const geometries = [
  { lengthM: 2000, distanceM: 4000 },
  { lengthM: 2500, distanceM: 8000 },
  { lengthM: 3500, distanceM: 10_000 },
];

const changeOf = (row: Row): Partial<Conditions> => {
  const key = number(row, 'key');
  if (row['item'] === 'OAT C') return { celsius: key };
  return row['item'] === 'headwind kt' ? { headwindKt: key } : { altitudeFt: key };
};

/**
 * Adjustments of an obstacle limit weight at sea level, 30 °C and calm wind, with the obstacle that gives that weight.
 */
const obstacles737 = async (folder: string, profile: AircraftProfile): Promise<ErrorsT> =>
  (await rowsOf(folder, '737-800-7B24-obstacle-adjustments')).flatMap((row) =>
    geometries.map(({ lengthM, distanceM }) => {
      const limitKg = (heightM: number, change: Partial<Conditions> = {}): number => {
        const obstacles = [{ distanceM, heightM }];
        return (
          limitsOf(profile, { flap: '5', lengthM, celsius: 30, ...change, obstacles })?.obstacleKg ?? Infinity
        );
      };
      const baseKg = 1000 * number(row, 'obstacle_limit_weight_1000kg');
      const heightM = largest(-20, 1500, (height) => limitKg(height) >= baseKg, 0.05);
      if (heightM === null || limitKg(heightM) > 1.005 * baseKg) return null;
      return (limitKg(heightM, changeOf(row)) - baseKg) / 1000 - number(row, 'adjustment_1000kg');
    }),
  );

const groups: Readonly<Record<string, readonly [string, typeof slush737][]>> = {
  '737-8-1B27': [['contaminated, t', slush737]],
  'A320-251N': [
    ['contaminated, t', contaminatedNeo],
    ['contaminated V1, kt', contaminatedSpeeds('v1_kt', 'v1Kt')],
    ['contaminated VR, kt', contaminatedSpeeds('vr_kt', 'vrKt')],
    ['contaminated V2, kt', contaminatedSpeeds('v2_kt', 'v2Kt')],
  ],
  '737-700-7B24': [['bleed, t', bleed]],
  '737-800-7B26': [['bleed, t', bleed]],
  '737-900ER': [['bleed, t', bleed]],
  '747-8': [['bleed, t', bleed]],
  '777-300ER': [['bleed, t', bleed]],
  '787-9': [['bleed, t', bleed]],
  '737-800-7B24': [['obstacles, t', obstacles737]],
  'A319-112': [['wet decrement, t', wetAirbus]],
  'A320-214': [['wet decrement, t', wetAirbus]],
  'A321-211': [['wet decrement, t', wetAirbus]],
};

/** Errors (t) of published adjustments of limit weights; the laws were derived from every second one. */
export const adjustmentGroups = async (folder: string, profile: AircraftProfile): Promise<TakeoffGroup[]> => {
  const found = await Promise.all(
    (groups[profile.id] ?? []).map(async ([table, errorsOf]) => {
      const errors = (await errorsOf(folder, profile)).map((error, i) => ({ error, isFitted: i % 2 === 0 }));
      return (['fit', 'judge'] as const).map((use) => ({
        table,
        use,
        errors: errors.flatMap(({ error, isFitted }) =>
          error !== null && isFitted === (use === 'fit') ? [error] : [],
        ),
      }));
    }),
  );
  return found.flat().filter(({ errors }) => errors.length > 0);
};
