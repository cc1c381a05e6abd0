import { reversersFitted } from './profile-lookup.ts';
import { seaLevelKelvin } from '../kernel/constants.ts';
import type { AircraftProfile, FlapProfile, RwyccCode } from '#domain/aircraft/profile.ts';
import type { Atmosphere } from '../kernel/atmosphere.ts';
import { atmosphere } from '../kernel/atmosphere.ts';
import type { Modifiers } from './modifiers.ts';
import { noModifiers } from './modifiers.ts';

/** What all brake modes of one case share. */
export interface Scene {
  profile: AircraftProfile;
  flap: FlapProfile;
  rwycc: Exclude<RwyccCode, 0>;
  air: Atmosphere;
  /** wind credited to the calculation, m/s from ahead */
  windMps: number;
  slope: number;
  modifiers: Modifiers;
  reversersOperating: number;
  autoland: boolean;
  fluid: { densityKgM3: number; depthM: number } | null;
  /** which fitted corrections apply: those for in-flight tables, for contaminated dispatch tables, or none */
  calibration: 'inflight' | 'dispatch' | 'none';
  /** metres of the maker's tables by flap, code, brake mode and correction, filled when needed */
  corrections: Map<string, number>;
  /** their sums by brake mode, mass and speed */
  sums: Map<string, number>;
}

/** Sea level, standard day, no wind, level, nothing failed, all reversers. */
export const plainScene = (profile: AircraftProfile, flap: FlapProfile, rwycc: Scene['rwycc']): Scene => ({
  profile,
  flap,
  rwycc,
  air: atmosphere(0, seaLevelKelvin),
  windMps: 0,
  slope: 0,
  modifiers: noModifiers(),
  reversersOperating: profile.engineCount,
  autoland: false,
  fluid: null,
  calibration: 'none',
  corrections: new Map(),
  sums: new Map(),
});

/** Effective reversers: those selected, less failed ones and those of failed engines. */
export const reversersUsed = (scene: Scene): number => {
  const { profile, modifiers } = scene;
  const fitted = reversersFitted(profile);
  const working = fitted - Math.max(modifiers.reversersInop, Math.min(modifiers.enginesOut, fitted));
  return Math.max(0, Math.min(scene.reversersOperating, working));
};
