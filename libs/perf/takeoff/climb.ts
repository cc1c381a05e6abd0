/** One-engine-inoperative climb: gross gradients of the segments at certification speeds. */
import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { gravity, ktToMps } from '../kernel/units.ts';
import { speedsOf } from './field.ts';
import type { Machine } from './machine.ts';
import { gradientAt, improvedKt, leastInducedK, liftCoefficient, mostLossPerMps } from './machine.ts';
import { cleanSpeedKt } from './retraction.ts';

const byEngines =
  (two: number, three: number, four: number) =>
  (engines: number): number =>
    engines >= 4 ? four : engines === 3 ? three : two;

/** Least gross gradients by number of engines (CS/FAR 25.121(a) to (c)), 1 = 100 %. */
export const leastFirstSegment = byEngines(0, 0.003, 0.005);
export const leastSecondSegment = byEngines(0.024, 0.027, 0.03);
export const leastFinalSegment = byEngines(0.012, 0.015, 0.017);

/** Gradient decrement from gross to net flight path (25.115(b)). */
export const netLoss = byEngines(0.008, 0.009, 0.01);

/** Gear drag in free air; the profile's value is fitted to distances and includes rotation losses. */
const gearCd = 0.0175;

/** V2 (kt) without the increment for missing parts. */
export const climbKt = (machine: Machine, massKg: number): number =>
  speedsOf(machine, massKg).v2Kt - machine.itemAddKt;

/** Gradient of the first segment: at lift-off, which is not above V2, with the gear down. */
export const firstSegment = (machine: Machine, massKg: number): number => {
  const { vrKt } = speedsOf(machine, massKg);
  return gradientAt(machine, massKg, vrKt - machine.itemAddKt, machine.engines - 1, gearCd);
};

/** Gradient of the second segment at V2, gear up, in a turn with a bank (degrees) or straight. */
export const secondSegment = (machine: Machine, massKg: number, bankDeg = 0): number => {
  const loadFactor = 1 / Math.cos((bankDeg * Math.PI) / 180);
  return gradientAt(machine, massKg, climbKt(machine, massKg), machine.engines - 1, 0, loadFactor);
};

/**
 * Gradient of the final segment: clean, at maximum continuous thrust, from the acceleration height on. The manufacturer's clean speed is
 * that of best lift-to-drag ratio, where induced drag is half the total; null: no clean speed is known.
 */
export const finalSegment = (profile: AircraftProfile, machine: Machine, massKg: number): number | null => {
  const kt = cleanSpeedKt(profile, machine.model, massKg);
  if (kt === null) return null;
  const { air, thrustN } = machine.final;
  const [v2, clean] = [climbKt(machine, massKg) - improvedKt(machine), kt].map(
    (each) => ktToMps(each) / air.rootSigma,
  );
  // Thrust at V2 matches climb tables; the profile's thrust lapse is fitted to the ground roll and not valid above it.
  const { lossPerMps } = machine.model.thrust;
  const faster = Math.max(0, (clean ?? 0) - (v2 ?? 0));
  const share = (1 - lossPerMps * (v2 ?? 0)) * (1 - Math.min(lossPerMps, mostLossPerMps) * faster);
  const k = Math.max(leastInducedK, machine.flap.climbK);
  return (
    ((machine.engines - 1) * thrustN * share) / (massKg * gravity) -
    2 * k * liftCoefficient(machine, massKg, kt)
  );
};

/** Gross gradient (1 = 100 %) at V2 with all engines, gear up. */
export const allEngines = (machine: Machine, massKg: number): number =>
  gradientAt(machine, massKg, climbKt(machine, massKg), machine.engines, 0);
