import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import type { LandingUnits } from '#domain/performance/request-parts.ts';
import type { Entitlements, RunwayFacts, TakeoffInput, TakeoffRunwayFacts } from '#perf/wire/types.ts';

export type Random = () => number;

/** Numbers in [0, 1), the same in every run with the same seed. */
export const randomFrom = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const kgPerLb = 0.453_592_37;
const ftPerM = 3.28084;
const metric: LandingUnits = {
  weight: 'kg',
  wind: 'kt',
  altitude: 'feet',
  distance: 'meter',
  depth: 'mm',
  pressure: 'hpa',
};
const unitSets: LandingUnits[] = [
  { ...metric, distance: 'feet' },
  metric,
  { weight: 'lb', wind: 'ms', altitude: 'meter', distance: 'feet', depth: 'inches', pressure: 'inhg' },
];

/** Values for every parameter of every text, for even and for odd variants. */
const parameters: Record<string, [unknown, unknown]> = JSON.parse(`{
  "limitKg": [58000, null], "minimumKg": [44000, 43000], "oewKg": [43000, 43000], "mstowKg": [79000, 79000],
  "distanceM": [2345.6, 1800], "ldaM": [2201.2, 1700], "marginM": [123.45, 1], "lengthM": [29.7, 12], "minimumM": [45, 30],
  "percent": [2.345, -1], "requested": [2.5, 4], "minimum": [2.1, 2.4], "required": [3.45, 5], "slopePercent": [-2.3, 3],
  "limitPercent": [2, 2], "tailwindKt": [12.34, 16], "headwindKt": [-3, 50], "crosswindKt": [33.36, 41], "limitKt": [30, 15],
  "raisedLimitKt": [38, 40], "groundSpeedKt": [198.4, 215], "ratingKt": [195, 204], "knots": [5.5, 20], "askedKt": [25, 3],
  "totalKt": [12, 30], "least": [7, 11], "vAppKt": [160, 171], "vfeKt": [163, 170], "marginKt": [3, 0], "angleDeg": [4.6, 3.51],
  "limitDeg": [4.5, 3.5], "reversers": [3, 1], "fitted": [2, 2], "waitMinutes": [60, 50], "askedC": [54.4, 20],
  "highestC": [null, 51.2], "leastC": [33.3, 31], "temperatureC": [-57.1, 61.9], "minC": [-54, -54], "maxC": [55, 55],
  "minHpa": [900, 900], "maxHpa": [1050, 1050], "pressureAltitudeFt": [-2200, 14700], "minFt": [-2000, -2000],
  "maxFt": [9200, 9200], "depthMm": [1.5, 20.6], "minMm": [3, 3], "maxMm": [13, 13], "flap": ["30", "FULL"],
  "state": ["SLUSH", "WET"], "surface": ["slush", "Wet"], "item": ["27-64-01", "32"], "nonNormalCondition": ["HYD", "F"],
  "what": ["weight", "landing flap"], "why": ["the runway is wet", "of ice"], "autobrake": ["MAX AUTO", "3"],
  "modes": ["MAX AUTO, 3", "2"], "blocks": ["speeds, climb", "brakes"], "name": ["antiIce", "flap"], "value": ["ON", "X"],
  "kind": ["mel", "cdl"], "limitedBy": ["FIELD", "CLIMB"], "consequence": ["an approval is needed", "a longer flare"],
  "parts": ["QNH 1013 hPa, wind", "wind"], "text": ["At 1500 m and 60000 kg: 3 mm.", "None."],
  "rule": ["", "On runways of more than 2000 m and 45 m wide."], "offered": ["15, 30", "FULL"]
}`);
/** Ordinary weights and pressures, and values that would be ordinary in another unit. */
const weightsKg = [61_234.6, 61_234.6, 99_000, 135_000, 27_700, 61];
const pressuresHpa = [1013.2, 990.4, 29.92, 2_992, 1013 * 33.86, 101_325];

/** Numbers and names for every parameter of every text, in every set of units. */
export const wordParams = (random: Random): { params: Record<string, unknown>; asked: LandingUnits }[] =>
  weightsKg.flatMap((weightKg, variant) => {
    const near = (value: unknown): unknown =>
      typeof value === 'number' && value > 3 ? value * (0.9 + 0.2 * random()) : value;
    const params: Record<string, unknown> = { weightKg, qnhHpa: pressuresHpa[variant] };
    for (const [name, pair] of Object.entries(parameters)) params[name] = near(pair[variant % 2]);
    if (variant > 3) delete params['offered'];
    return unitSets.map((asked) => ({ params, asked }));
  });

interface Pick {
  one: <T>(list: readonly T[]) => T;
  maybe: <T>(share: number, value: () => T) => T | undefined;
  between: (low: number, high: number, digits?: number) => number;
}

const pickOf = (random: Random): Pick => {
  const between = (low: number, high: number, digits = 0): number =>
    Number((low + random() * (high - low)).toFixed(digits));
  return {
    one: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
    maybe: (share, value) => (random() < share ? value() : undefined),
    between,
  };
};

const values = (list: readonly { value: string }[]): string[] => list.map(({ value }) => value);

/** Input shared by landings and takeoffs. */
const situation = (profile: AircraftProfile, { one, maybe, between }: Pick, states: readonly string[]) => {
  const units = one(unitSets);
  const metres = (value: number): number => Math.round(units.distance === 'meter' ? value : value * ftPerM);
  const deep = units.depth === 'mm' ? 1 : 1 / 25.4;
  const state = maybe(0.7, () => maybe(0.02, () => 'NO_SUCH_STATE') ?? one(states));
  return {
    units,
    metres,
    kg: (value: number): number => Math.round(units.weight === 'kg' ? value : value / kgPerLb),
    shared: {
      units,
      aircraft: { file: profile.id },
      airport: 'EDDF',
      weather: maybe(0.9, () => ({
        windDirection: maybe(0.9, () => between(0, 360)) ?? null,
        windSpeed: between(0, 30),
        gust: maybe(0.3, () => between(10, 40)),
        headwind: maybe(0.2, () => between(-20, 45)),
        temperature: maybe(0.9, () => between(-30, 45)),
        qnh: maybe(0.8, () => (units.pressure === 'hpa' ? between(970, 1040) : between(28.6, 30.7, 2))),
        vrefAdd: maybe(0.1, () => between(0, 15)),
      })),
      runwayCondition: maybe(0.8, () => ({ state, depth: maybe(0.6, () => between(0, 14, 1) * deep) })),
      sources: maybe(0.2, () => ({ qnh: { source: 'assumed', text: '1013 hPa' } })),
      inopItems: {
        mel: maybe(0.25, () => [maybe(0.1, () => 'NONE-SUCH') ?? one(values(profile.mel))]),
        cdl: maybe(0.2, () => [one(values(profile.cdl))]),
      },
      notam: maybe(0.2, () => ({
        shortenStart: metres(between(0, 300)),
        shortenEnd: metres(between(0, 300)),
      })),
      assess: maybe(0.15, () => true),
    },
  };
};

const entitlements = {
  nnc: true,
  mel: true,
  cdl: true,
  notam: true,
  balkedLanding: true,
  intersections: true,
};
const entitledTo = <T extends object>({ maybe, one }: Pick, all: T): T =>
  maybe(0.1, () => ({ ...all, [one(Object.keys(all))]: false })) ?? all;

const landingRunway = (ldaM: number, { one, between }: Pick): RunwayFacts => ({
  ident: '25R',
  ldaM,
  lengthM: ldaM + 200,
  elevationFt: between(-200, 8_500),
  slopePercent: between(-2.1, 2.1, 2),
  trueBearingDeg: 249,
  widthM: one([30, 45, 60, null]),
  exits: [
    { name: 'C1', distanceM: 1_200, angleDeg: 30 },
    { name: 'C2', distanceM: 1_800, speedKt: 20 },
    { name: 'C3', distanceM: 2_300, angleDeg: 90 },
  ],
  standardEfp: one([true, false]),
  efpText: 'Runway heading to 5 NM.',
  macgPercent: one([2.5, 2.5, 2.5, 2.5, 4]),
});

export interface LandingDraw {
  data: Record<string, unknown>;
  runway: RunwayFacts;
  entitlements: Entitlements;
}

export const landingOf = (profile: AircraftProfile, random: Random): LandingDraw => {
  const pick = pickOf(random);
  const { one, maybe, between } = pick;
  const landingMode = one(['dispatch', 'inflight', 'inflight'] as const);
  const { options, conditions, weight, flaps } = profile;
  const states = values(landingMode === 'inflight' ? conditions.enroute : conditions.dispatch);
  const { shared, metres, kg } = situation(profile, pick, states);
  const flap =
    maybe(0.03, () => 'FLAPS 30') ?? one(flaps.filter(({ landing }) => landing).map(({ code }) => code));
  const ldaM = between(1_300, 3_800);
  return {
    data: {
      ...shared,
      requestType: 'LANDING',
      landingMode,
      runway: '25R',
      configuration: {
        flap: maybe(0.7, () => `${flap}${maybe(0.15, () => '_AUTOLAND') ?? ''}`),
        autobrake: maybe(0.4, () => one(['ALL', ...values(profile.autobrakes)])),
        antiIce: maybe(0.3, () => one(values(options.antiIce))),
        reverser: maybe(0.4, () => one(values(options.reversers))),
        speedbrake: maybe(0.3, () => one(values(options.groundSpoilers))),
        vrefAdditive: maybe(0.4, () => between(0, 24)),
        nonNormalCondition: maybe(0.3, () => one(['NONE', ...values(profile.nonNormal)])),
        approachType: maybe(profile.family === 'A' ? 0.3 : 0.02, () =>
          one([...values(options.approachType), 'CAT_II']),
        ),
        missedApproachClimbGradient: maybe(0.3, () => between(1, 6, 1)),
        autothrust: maybe(0.3, () => false),
        airDistance: maybe(0.2, () => '7S'),
        acBleed: maybe(0.2, () => one(values(options.acBleed))),
        approachAngle: maybe(0.2, () => between(2.5, 6, 1)),
      },
      weight: {
        landingWeight: maybe(0.95, () => kg(between(weight.oew * 0.98, (weight.mslw + weight.mstow) / 2))),
        maxLandingWeight: maybe(0.1, () => kg(weight.mslw * 0.95)),
        cg: maybe(0.2, () => between(10, 40)),
        cgPosition: maybe(profile.family === 'A' ? 0.2 : 0.02, () =>
          one([...values(options.cgPosition), 'FWD']),
        ),
      },
      notam: shared.notam && { shortenStart: shared.notam.shortenStart, shortenEnd: metres(50) },
    },
    runway: landingRunway(ldaM, pick),
    entitlements: entitledTo(pick, entitlements),
  };
};

export interface TakeoffDraw {
  data: Record<string, unknown>;
  runway: TakeoffRunwayFacts;
  landing: TakeoffInput['landing'];
  entitlements: Entitlements;
}

export const takeoffOf = (profile: AircraftProfile, random: Random): TakeoffDraw => {
  const pick = pickOf(random);
  const { one, maybe, between } = pick;
  const { options, conditions, weight, takeoff } = profile;
  const { shared, metres, kg } = situation(profile, pick, values(conditions.dispatch));
  const toraM = between(1_500, 4_000);
  const own = { ident: '25R', tora: metres(toraM), slope: 0.5, elevation: 100 };
  return {
    data: {
      ...shared,
      requestType: 'TAKEOFF',
      runway: one(['25R', '25R', '25R/A5', own]),
      intersection: maybe(0.15, () => one([metres(250), 'A5'])),
      lineupAngle: maybe(0.4, () => one([90, 180])),
      configuration: {
        flap: maybe(0.6, () => maybe(0.05, () => '99') ?? one(takeoff.flaps)),
        rating: maybe(0.5, () => one(values(takeoff.ratings))),
        assumedTemperature: maybe(0.4, () => one(['NONE', between(10, 75)])),
        antiIce: maybe(0.3, () => one(values(options.antiIce))),
        acBleed: maybe(0.3, () => one(values(options.acBleed))),
        improvedClimb: maybe(0.2, () => 'ON'),
        windshear: maybe(0.1, () => true),
      },
      weight: {
        takeoffWeight: maybe(0.8, () => kg(between(weight.oew * 0.98, weight.mstow * 1.01))),
        cg: maybe(0.2, () => between(10, 40)),
      },
      obstacles: maybe(0.4, () => [
        { distance: metres(between(500, 6_000)), height: between(5, 60) },
        { distance: metres(between(3_000, 15_000)), height: between(5, 150), from: 'BRAKE_RELEASE' },
      ]),
      departureTurns: maybe(0.15, () => [{ distance: metres(3_000), headingChange: 40 }]),
    },
    runway: {
      ident: '25R',
      toraM,
      todaM: toraM + one([0, 0, 200]),
      asdaM: toraM + one([0, 0, 60]),
      elevationM: between(-50, 2_600),
      slopePercent: between(-2, 2, 2),
      trueBearingDeg: 249,
      widthM: one([30, 45, 60, null]),
      standardEfp: random() < 0.5,
      efpText: 'Runway heading to 5 NM.',
      efpAccelerationAltitudeFt: one([null, 9_500]),
    },
    landing:
      maybe(0.8, () => ({
        runway: landingRunway(toraM - 100, pick),
        runwayCondition: { state: 'WET', depth: 0, isAssumed: false },
      })) ?? null,
    entitlements: entitledTo(pick, entitlements),
  };
};

/** A line of the command-line calculator. */
export const lineOf = (profile: AircraftProfile, random: Random): Record<string, unknown> => {
  const { one, maybe, between } = pickOf(random);
  const { options, weight } = profile;
  const mode = one(['inflight', 'dispatch', 'takeoff'] as const);
  const isTakeoff = mode === 'takeoff';
  const lengthM = between(1_500, 3_500);
  return {
    id: between(1, 99),
    aircraft: profile.id,
    mode,
    runway: {
      [isTakeoff ? 'toraM' : 'ldaM']: lengthM,
      elevationFt: between(0, 6_000),
      slopePercent: between(-2, 2, 1),
    },
    weather: maybe(0.8, () => ({
      headwindKt: between(-10, 30),
      temperatureC: between(-20, 40),
      qnhHpa: between(980, 1_030),
    })),
    runwayCondition: maybe(0.6, () =>
      one([
        { state: 'WET' },
        { state: 'SLUSH', depthMm: between(1, 14) },
        ...(isTakeoff ? [] : [{ rwycc: 3 }]),
      ]),
    ),
    configuration: maybe(0.8, () => ({
      flap: maybe(0.5, () => one([...profile.flaps.map(({ code }) => code), ...profile.takeoff.flaps])),
      reversers: maybe(0.4, () => one(['NONE', 1, 4])),
      antiIce: maybe(0.3, () => one([...values(options.antiIce), 'SOME'])),
      acBleed: maybe(0.2, () => one([...values(options.acBleed), 'SOME'])),
      mel: maybe(0.2, () => [one(values(profile.mel))]),
      ...(isTakeoff
        ? {
            rating: maybe(0.5, () => one(['TO', 'TO1', ...values(profile.takeoff.ratings)])),
            thrust: maybe(0.2, () => 'FULL'),
          }
        : {
            autobrake: maybe(0.3, () => one(values(profile.autobrakes))),
            nonNormalCondition: maybe(0.2, () => one(values(profile.nonNormal))),
          }),
    })),
    weightKg: maybe(0.9, () => between(weight.oew, weight.mstow)),
    assess: maybe(0.1, () => true),
  };
};
