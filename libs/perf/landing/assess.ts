import type { AircraftProfile, RwyccCode } from '#domain/aircraft/profile.ts';
import { ktToMps } from '../kernel/units.ts';
import type { Braked } from './braked.ts';
import { braked } from './braked.ts';
import type { Caution } from './caution-codes.ts';
import { reversersUsed } from './scene.ts';
import { exceededInflight } from './exceeded.ts';
import { attempt } from './problem.ts';
import type { Outcome } from './problem.ts';
import { assessedAirTimeS, withAirDistance, withBrakes } from './profile-lookup.ts';
import type { LandingCase, ModeResult, UnusableMode } from './types.ts';

/** Brake modes of one engine run, and the exceeded limits. */
export interface AssessedRun {
  massKg: number;
  exceeded: Caution[];
  modes: ModeResult[];
  unusable: UnusableMode[];
}

export type ChangeName =
  | 'SPEED_PLUS_5_KT'
  | 'TAILWIND_PLUS_5_KT'
  | 'ONE_CODE_WORSE'
  | 'ONE_REVERSER_LOST'
  | 'WEIGHT_PLUS_1_T'
  | 'AIR_TIME_7_S';

/** Landing assessment at the time of arrival: the case under every runway condition code, and with single changes. */
interface Assessment {
  massKg: number;
  base: AssessedRun;
  codes: { rwycc: Exclude<RwyccCode, 0>; run: AssessedRun }[];
  /** one change each: the run with it, the engine's refusal, or why it does not apply */
  changes: { change: ChangeName; outcome: Outcome<AssessedRun> | string }[];
}

const codes = [6, 5, 4, 3, 2, 1] as const;
const speedStepKt = 5;
const tailwindStepKt = 5;
const massStepKg = 1000;

type Changed = LandingCase | string;

/** Each change as a case of its own, or why it does not apply. */
const changesOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  base: Braked,
): Record<ChangeName, Changed> => {
  const { configuration, weather } = landing;
  const rwycc = codes.find((code) => code === base.prepared.rwycc - 1);
  const reversers = reversersUsed(base.scene);
  // Family B uses the additive in force, which autoland may have raised; family A adds to its own correction.
  const additiveKt = profile.family === 'B' ? base.speeds.additiveKt : configuration.vrefAdditiveKt;
  return {
    SPEED_PLUS_5_KT: {
      ...landing,
      configuration: { ...configuration, vrefAdditiveKt: additiveKt + speedStepKt },
    },
    TAILWIND_PLUS_5_KT: {
      ...landing,
      weather: { ...weather, headwindMps: weather.headwindMps - ktToMps(tailwindStepKt) },
    },
    ONE_CODE_WORSE:
      rwycc === undefined ? 'Code 0 does not allow an operation.' : { ...landing, condition: { rwycc } },
    ONE_REVERSER_LOST:
      reversers === 0
        ? 'No reverser is in the calculation.'
        : { ...landing, configuration: { ...configuration, reversersOperating: reversers - 1 } },
    WEIGHT_PLUS_1_T: { ...landing, massKg: base.massKg + massStepKg },
    AIR_TIME_7_S:
      profile.airDistance.timeS >= assessedAirTimeS
        ? 'The distances have 7 s of air.'
        : { ...landing, configuration: { ...configuration, airDistance: '7S' } },
  };
};

const runOf = (
  profile: AircraftProfile,
  landing: LandingCase,
  landed = braked(profile, landing),
): AssessedRun => ({
  massKg: landed.massKg,
  modes: landed.modes,
  unusable: landed.unusable,
  exceeded: exceededInflight(profile, landing, landed).exceeded,
});

/**
 * Assesses an in-flight case with all brake modes; each number comes from an engine run. Codes are calculated with 7 s
 * in the air, changes are compared with the unchanged case. The case's flap is kept, so that a change does not select
 * another.
 */
export const assess = (profile: AircraftProfile, assessed: LandingCase): Assessment => {
  const { brakes, airDistance } = assessed.configuration;
  const aircraft = withAirDistance(withBrakes(profile, brakes), airDistance);
  const arriving = withAirDistance(aircraft, '7S');
  const { exits: _exits, ...runway } = assessed.runway;
  const plain: LandingCase = {
    ...assessed,
    runway,
    configuration: { ...assessed.configuration, autobrake: 'ALL' },
  };
  const base = braked(aircraft, plain);
  const fixed: LandingCase = {
    ...plain,
    configuration: { ...plain.configuration, flap: base.flap.code },
  };
  const runChanged = (changed: LandingCase): AssessedRun =>
    runOf(withAirDistance(aircraft, changed.configuration.airDistance), changed);
  const changes = Object.entries(changesOf(aircraft, fixed, base)) as [ChangeName, Changed][];
  return {
    massKg: base.massKg,
    base: runOf(aircraft, plain, base),
    codes: codes.map((rwycc) => ({ rwycc, run: runOf(arriving, { ...fixed, condition: { rwycc } }) })),
    changes: changes.map(([change, changed]) => ({
      change,
      outcome: typeof changed === 'string' ? changed : attempt(() => runChanged(changed)),
    })),
  };
};
