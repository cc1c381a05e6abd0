import { reversersFitted } from './profile-lookup.ts';
import { seaLevelKelvin } from '../kernel/constants.ts';
import type { AircraftProfile, FlapProfile, RwyccCode } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { atmosphere } from '../kernel/atmosphere.ts';
import type { Modifiers } from './modifiers.ts';
import { noModifiers } from './modifiers.ts';

/** Data shared by all brake modes of a case. */
export interface Scene {
  profile: AircraftProfile;
  flap: FlapProfile;
  rwycc: Exclude<RwyccCode, 0>;
  air: Atmosphere;
  /** credited wind, m/s, headwind positive */
  windMps: number;
  slope: number;
  modifiers: Modifiers;
  reversersOperating: number;
  autoland: boolean;
  fluid: { densityKgM3: number; depthM: number } | null;
  /** the fitted corrections to apply: for in-flight tables, for contaminated dispatch tables, or none */
  calibration: 'inflight' | 'dispatch' | 'none';
  /** metres from the manufacturer's tables by flap, code, brake mode and correction, filled at first use */
  corrections: Map<string, number>;
  /** sums of corrections by brake mode, mass and speed */
  sums: Map<string, number>;
}

/** Sea level, standard day, no wind, no slope, no failure, all reversers. */
export const plainScene = (profile: AircraftProfile, flap: FlapProfile, rwycc: Scene['rwycc']): Scene => ({
  profile,
  flap,
  rwycc,
  air: atmosphere(0, seaLevelKelvin),
  windMps: 0,
  slope: 0,
  modifiers: noModifiers,
  reversersOperating: profile.engineCount,
  autoland: false,
  fluid: null,
  calibration: 'none',
  corrections: new Map(),
  sums: new Map(),
});

/** Reversers in use: those selected, less failed ones and those of failed engines. */
export const reversersUsed = (scene: Scene): number => {
  const { profile, modifiers } = scene;
  const fitted = reversersFitted(profile);
  const working = fitted - Math.max(modifiers.reversersInop, Math.min(modifiers.enginesOut, fitted));
  return Math.max(0, Math.min(scene.reversersOperating, working));
};
