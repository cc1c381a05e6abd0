import { leastDecelerationMps2, planingDecay } from './constants.ts';
import type { FrictionLaw } from './friction.ts';
import { mu } from './friction.ts';
import { gravity } from './units.ts';

/** Forces on an aircraft braking on the ground; SI throughout. */
export interface Roll {
  massKg: number;
  /** ground speed at touchdown */
  entryMps: number;
  /** headwind in the aerodynamic forces; negative: tailwind */
  headwindMps: number;
  densityKgM3: number;
  wingAreaM2: number;
  cl: number;
  cd: number;
  slope: number;
  friction: FrictionLaw;
  /** share of the weight on the braked wheels */
  loadFactor: number;
  /** largest total brake force, N */
  torqueLimitN: number;
  /** total deceleration that the autobrake holds; Infinity for manual braking */
  targetMps2: number;
  idleForwardN: number;
  /** the part cancelled by idle reverse if the aircraft would otherwise not slow down on ice */
  reversibleIdleN: number;
  reverseN: number;
  /** reverse thrust before full braking */
  coastReverseN: number;
  reverseCutMps: number;
  /** time from touchdown until the reversers are effective, s */
  reverseDelayS: number;
  /** time from touchdown until full braking, s; drag and reverse thrust act before it */
  brakeDelayS: number;
  /** fluid drag over V^2, N s2/m2 */
  fluidDrag: number;
  fluidPlaningMps: number;
}

interface RollResult {
  /** from touchdown to a stop */
  distanceM: number;
  /** work done by the wheel brakes, J */
  brakeWorkJ: number;
}

/** Speed trace of a roll: falling speeds with their distances from touchdown. */
export interface Trace {
  speedMps: number[];
  distanceM: number[];
}

const steps = 20;
const delaySteps = 6;

interface Forces {
  brakeN: number;
  decelerationMps2: number;
}

/** Retarding force without wheel brakes and reversers (N) at a ground speed. */
const dragOf = (roll: Roll, v: number, qS: number): number => {
  const planing = v > roll.fluidPlaningMps ? (roll.fluidPlaningMps / v) ** planingDecay : 1;
  return (
    roll.cd * qS - roll.idleForwardN + roll.fluidDrag * v * v * planing + roll.massKg * gravity * roll.slope
  );
};

const pressureForce = (roll: Roll, v: number): number => {
  const airspeed = v + roll.headwindMps;
  return 0.5 * roll.densityKgM3 * airspeed * Math.abs(airspeed) * roll.wingAreaM2;
};

/** Brake force (N) and total deceleration (m/s2) at a ground speed. */
const forces = (roll: Roll, v: number, out: Forces): void => {
  const qS = pressureForce(roll, v);
  const load = roll.massKg * gravity - roll.cl * qS;
  const friction = load > 0 ? mu(roll.friction, v) * roll.loadFactor * load : 0;
  const available = friction < roll.torqueLimitN ? friction : roll.torqueLimitN;
  const retardN = dragOf(roll, v, qS) + (v > roll.reverseCutMps ? roll.reverseN : 0);
  const wanted = roll.massKg * roll.targetMps2 - retardN;
  out.brakeN = wanted < available ? (wanted > 0 ? wanted : 0) : available;
  const missingN = roll.massKg * leastDecelerationMps2 - retardN - out.brakeN;
  // Crews keep idle reverse on ice; it gives at most the least deceleration.
  const held = missingN > 0 && missingN <= roll.reversibleIdleN;
  out.decelerationMps2 = held ? leastDecelerationMps2 : (retardN + out.brakeN) / roll.massKg;
};

/**
 * The phase before full braking: drag, later with reverse thrust. Returns the final speed, which never exceeds the
 * initial one.
 */
const coast = (roll: Roll, trace: Trace | undefined): { speedMps: number; distanceM: number } => {
  const dt = roll.brakeDelayS / delaySteps;
  let v = roll.entryMps;
  let distanceM = 0;
  if (dt <= 0) return { speedMps: v, distanceM };
  for (let i = 0; i < delaySteps; i += 1) {
    const share = Math.min(1, Math.max(0, ((i + 1) * dt - roll.reverseDelayS) / dt));
    const reverse = v > roll.reverseCutMps ? roll.coastReverseN * share : 0;
    const at = (speed: number): number =>
      Math.max(0, (dragOf(roll, speed, pressureForce(roll, speed)) + reverse) / roll.massKg);
    const next = Math.max(0, v - at(Math.max(0, v - 0.5 * dt * at(v))) * dt);
    distanceM += 0.5 * (v + next) * dt;
    v = next;
    trace?.speedMps.push(v);
    trace?.distanceM.push(distanceM);
  }
  return { speedMps: v, distanceM };
};

/**
 * Distance from touchdown at `entryMps` to a stop: the delay without brakes, then the midpoint rule in speed. Intervals
 * end at speeds where a force jumps (end of reverse thrust, aquaplaning), which keeps the sum smooth. Infinity if the
 * aircraft cannot stop.
 */
export const groundRoll = (roll: Roll, trace?: Trace): RollResult => {
  const state: Forces = { brakeN: 0, decelerationMps2: 0 };
  trace?.speedMps.push(roll.entryMps);
  trace?.distanceM.push(0);
  let { speedMps: top, distanceM } = coast(roll, trace);
  let brakeWorkJ = 0;
  while (top > 0) {
    let bottom = 0;
    if (roll.reverseCutMps < top) bottom = roll.reverseCutMps;
    if (roll.friction.planingMps < top && roll.friction.planingMps > bottom)
      bottom = roll.friction.planingMps;
    const dv = (top - bottom) / steps;
    for (let i = 0; i < steps; i += 1) {
      const v = top - (i + 0.5) * dv;
      forces(roll, v, state);
      if (state.decelerationMps2 < leastDecelerationMps2)
        return { distanceM: Infinity, brakeWorkJ: Infinity };
      const ds = (v * dv) / state.decelerationMps2;
      distanceM += ds;
      brakeWorkJ += state.brakeN * ds;
      trace?.speedMps.push(v - 0.5 * dv);
      trace?.distanceM.push(distanceM);
    }
    top = bottom;
  }
  return { distanceM, brakeWorkJ };
};

/** Distance from touchdown to a lower speed, interpolated in V^2. Zero if the aircraft is already slower. */
export const distanceToSpeed = (trace: Trace, speedMps: number): number => {
  const { speedMps: speeds, distanceM: distances } = trace;
  if (speedMps >= (speeds[0] ?? 0)) return 0;
  for (let i = 1; i < speeds.length; i += 1) {
    const lower = speeds[i] ?? 0;
    if (speedMps < lower) continue;
    const upper = speeds[i - 1] ?? 0;
    const from = distances[i - 1] ?? 0;
    const to = distances[i] ?? 0;
    return from + ((to - from) * (upper ** 2 - speedMps ** 2)) / (upper ** 2 - lower ** 2);
  }
  return distances.at(-1) ?? 0;
};
