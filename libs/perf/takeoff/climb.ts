import type { Machine } from './machine.ts';
import { gradientAt } from './machine.ts';
import { speedsOf } from './field.ts';

/** Least gross gradient of the second segment by number of engines (CS/FAR 25.121(b)), 1 = 100 %. */
export const leastSecondSegment = (engines: number): number =>
  engines >= 4 ? 0.03 : engines === 3 ? 0.027 : 0.024;

/** What a net flight path loses from the gross one (25.115(b)). */
export const netLoss = (engines: number): number => (engines >= 4 ? 0.01 : engines === 3 ? 0.009 : 0.008);

/** V2 (kt) without what makes up for missing parts. */
const climbKt = (machine: Machine, massKg: number): number =>
  speedsOf(machine, massKg).v2Kt - machine.itemAddKt;

/** Gross gradient (1 = 100 %) of the second segment at V2, one engine inoperative, gear up. */
export const secondSegment = (machine: Machine, massKg: number): number =>
  gradientAt(machine, massKg, climbKt(machine, massKg), machine.engines - 1, false);

/** Gross gradient (1 = 100 %) at V2 with all engines, gear up. */
export const allEngines = (machine: Machine, massKg: number): number =>
  gradientAt(machine, massKg, climbKt(machine, massKg), machine.engines, false);
