import { rounded } from '../landing/rounding.ts';
import { joulesPerMftlb } from '../kernel/units.ts';
import type { BrakeCooling, CoolingTime } from '../landing/types.ts';

const minutes = (value: CoolingTime): CoolingTime => (typeof value === 'number' ? rounded(value, 1) : value);

/** Brake cooling as a landing and a takeoff answer it. */
export const coolingAnswer = (cooling: BrakeCooling) => ({
  credit: cooling.credit,
  aerodynamicDrag: cooling.aerodynamicDrag,
  ground: minutes(cooling.groundMin),
  air: minutes(cooling.airMin),
  btms: cooling.btms === null ? null : rounded(cooling.btms, 1),
  energy: rounded(cooling.energyJ / joulesPerMftlb, 1),
});
