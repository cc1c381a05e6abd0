import type { AircraftProfile, RwyccCode } from '#domain/aircraft/profile.ts';
import { mpsPerKnot } from './units.ts';

/**
 * Braking coefficient by ground speed. Below `planingMps` the cubic of 14 CFR 25.109(c), scaled and capped; above it a
 * constant.
 */
export interface FrictionLaw {
  scale: number;
  c0: number;
  c1: number;
  c2: number;
  c3: number;
  cap: number;
  planingMps: number;
  muPlaning: number;
}

/** Wet smooth runway, maximum coefficient by tyre pressure (psi): c3 c2 c1 c0 over V in hundreds of knots. */
const wetSmooth: readonly (readonly [number, number, number, number, number])[] = [
  [50, -0.035, 0.306, -0.851, 0.883],
  [100, -0.0437, 0.32, -0.805, 0.804],
  [200, -0.0331, 0.252, -0.658, 0.692],
  [300, -0.0401, 0.263, -0.611, 0.614],
];

type Braking = AircraftProfile['braking'];

/** Horne: a tyre aquaplanes above 9 sqrt(psi) knots; AC 25-32 lets code 2 reach its floor at 85 % of that. */
export const hydroplaningSpeed = (tirePressurePsi: number): number =>
  9 * Math.sqrt(tirePressurePsi) * mpsPerKnot;

const wetCubic = (psi: number): [number, number, number, number] => {
  let i = 1;
  while (i < wetSmooth.length - 1 && psi > (wetSmooth[i]?.[0] ?? 0)) i += 1;
  const low = wetSmooth[i - 1] ?? [0, 0, 0, 0, 0];
  const high = wetSmooth[i] ?? low;
  const t = Math.min(1, Math.max(0, (psi - low[0]) / (high[0] - low[0])));
  const mix = (a: number, b: number): number => a + (b - a) * t;
  return [mix(low[1], high[1]), mix(low[2], high[2]), mix(low[3], high[3]), mix(low[4], high[4])];
};

/** Caps a code's curve by that of the next better code, so that a worse code never grips better. */
const under = (
  better: FrictionLaw | null,
  own: Braking['friction'][6],
  tirePressurePsi: number,
): FrictionLaw => {
  const cap = better?.cap ?? Infinity;
  const planing = { planingMps: better?.planingMps ?? Infinity, muPlaning: better?.muPlaning ?? Infinity };
  if (own.kind === 'constant') {
    const flat = { scale: 1, c0: own.mu, c1: 0, c2: 0, c3: 0 };
    const muPlaning = Math.min(planing.muPlaning, own.mu);
    return { ...flat, ...better, ...planing, cap: Math.min(cap, own.mu), muPlaning };
  }
  const [c3, c2, c1, c0] = wetCubic(tirePressurePsi);
  const planes = own.kind === 'hydroplaning';
  const scale = own.efficiency * (planes ? 0.5 : 1);
  const law = { scale: 1, c0: scale * c0, c1: scale * c1, c2: scale * c2, c3: scale * c3 };
  if (!planes) return { ...law, cap, ...planing };
  return {
    ...law,
    cap: Math.min(cap, own.muCap),
    planingMps: 0.85 * hydroplaningSpeed(tirePressurePsi),
    muPlaning: Math.min(planing.muPlaning, own.muPlaning),
  };
};

/** Friction for a runway condition code, times `factor` for failures. Code 0 has none. */
export const frictionLaw = (braking: Braking, rwycc: Exclude<RwyccCode, 0>, factor = 1): FrictionLaw => {
  let law: FrictionLaw | null = null;
  for (const code of [6, 5, 4, 3, 2, 1] as const) {
    if (code < rwycc) break;
    law = under(law, braking.friction[code], braking.tirePressurePsi);
  }
  if (!law) throw new Error(`no friction for code ${rwycc}`);
  return { ...law, scale: factor };
};

/** Coefficient at a ground speed (m/s). Above 200 kt the cubic keeps its value at 200 kt. */
export const mu = (law: FrictionLaw, groundSpeedMps: number): number => {
  if (groundSpeedMps >= law.planingMps) return law.scale * law.muPlaning;
  const v = Math.min(2, groundSpeedMps / (100 * mpsPerKnot));
  const value = ((law.c3 * v + law.c2) * v + law.c1) * v + law.c0;
  return law.scale * (value < law.cap ? value : law.cap);
};
