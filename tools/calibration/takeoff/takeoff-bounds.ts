import type { TakeoffPerformance } from '#domain/aircraft/profile-takeoff.ts';

/** A parameter of `takeoffPerformance` with its search range. */
export type Bound = readonly [path: string, min: number, max: number];

/** Without a published V2, its factor is fitted with the limits, within 6 % of the type's known value. */
export const v2Bounds = (model: TakeoffPerformance): Bound[] =>
  Object.entries(model.flaps).map(([flap, { v2 }]) => [
    `flaps/${flap}/v2/factorKt`,
    0.94 * v2.factorKt,
    1.06 * v2.factorKt,
  ]);

const lawBounds = (path: string, law: Readonly<Record<string, readonly [number, number]>>): Bound[] =>
  Object.entries(law).map(([name, [min, max]]) => [`${path}/${name}`, min, max]);

/** Speeds by weight, flap and thrust, with V1 by the manufacturer's rule. */
export const speedBounds = ({ flaps }: TakeoffPerformance): Bound[] => [
  ...Object.keys(flaps).flatMap((flap) =>
    lawBounds(`flaps/${flap}/v2`, { factorKt: [5, 40], exponent: [0.3, 0.6] }),
  ),
  ['v2PerThrustLostKt', 0, 30],
  ...lawBounds('v2LessVr', { kt: [0, 40], perTonne: [-0.5, 0], perThrustLost: [-60, 0] }),
  ...['dry', 'wet'].flatMap((surface) => [
    ...lawBounds(`v1/${surface}/belowVr`, { kt: [-5, 30], perTonne: [-0.4, 0.2], perThrustLost: [-30, 10] }),
    ...lawBounds(`v1/${surface}`, {
      uphill: [0, 0.06],
      downhill: [0, 0.06],
      headwind: [0, 0.2],
      tailwind: [0, 0.5],
    }),
  ]),
  ['vmcgKt', 80, 130],
  ['vmcExponent', 0.2, 0.8],
];

/** Drag minus rolling friction times lift: no aircraft with slats, flaps and gear out has less. */
const leastGroundCd = 0.03;

export const flapBounds = (model: TakeoffPerformance, fitted: readonly string[], names: string): Bound[] =>
  Object.keys(model.flaps)
    .filter((flap) => fitted.includes(flap))
    .flatMap((flap): Bound[] =>
      names === 'climb'
        ? [
            [`flaps/${flap}/climbCd0`, 0.02, 0.15],
            [`flaps/${flap}/climbK`, 0.03, 0.07],
          ]
        : [[`flaps/${flap}/groundCd`, leastGroundCd, 0.15]],
    );

/** An engine's rated static thrust bounds its thrust in the climb and on the ground. */
export const thrustBounds = (ratedN: number): Bound[] => [
  ['thrust/staticPerEngineN', 0.5 * ratedN, ratedN],
  ['thrust/flatRatedToIsaPlusC', 8, 35],
  ['thrust/flatRatingFallsCPerKft', 0, 2],
  ['thrust/lapsePerC', 0.002, 0.02],
  ['thrust/kinkShiftCPerKft', 0, 3],
  ['thrust/deltaCurve', -0.5, 0],
  ['thrust/partialLapsePerC', 0, 0.012],
  ['thrust/deltaExponent', 0.4, 1.2],
  ['thrust/coldPerC', -0.0003, 0.002],
];

export const fieldBounds = (ratedN: number): Bound[] => [
  ['thrust/fieldFactor', 0.8, 1.1],
  ['thrust/lossPerMps', 0.002, 0.004],
  ['rotationS', 0.5, 9],
  ['rotationAllEnginesS', 0.5, 9],
  ['gearCd', 0, 0.06],
  ['asymmetryCd', 0, 0.1],
  ['stop/mu', 0.15, 0.6],
  ['stop/cd', 0, 0.4],
  ['stop/transitionS', 0, 3],
  ['stop/wetEfficiency', 0.3, 1.4],
  ['stop/reversePerEngineN', 0, 0.3 * ratedN],
];

export const brakeBounds: Bound[] = [
  ['brakeEnergyJ', 5e7, 3e9],
  ['brakeEnergyLaw/byLength', 0, 1],
  ['brakeEnergyLaw/byLengthCurve', -1, 0],
  ['brakeEnergyLaw/perKft', 0, 0.1],
  ['brakeEnergyLaw/speedExponent', 1, 2],
  ['brakeEnergyLaw/perHotC', 0, 0.05],
  ['brakeEnergyLaw/windShare', 0, 1],
];

export const worthBounds: Bound[] = (['dry', 'wet'] as const).flatMap((surface) =>
  ['uphill', 'downhill', 'headwind', 'tailwind'].flatMap((kind): Bound[] => {
    const most = kind.endsWith('hill') ? 400 : 40;
    return [
      [`worth/${surface}/${kind}/0`, -most, most],
      [`worth/${surface}/${kind}/1`, -most, most],
    ];
  }),
);
