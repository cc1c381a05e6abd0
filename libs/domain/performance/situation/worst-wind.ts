/** The worst of several possible winds for a runway, separately along it, across it, and for the distance. */
import { vrefAdd } from '../../weather/runway-wind.ts';
import type { HeldWind, WorstWind } from './weather.ts';

/** Rounding to whole knots could add half a knot of headwind, which would shorten the landing. */
const hundredths = (kt: number): number => Math.round(kt * 100) / 100 + 0;
/** Allows for rounding errors only, since a hundredth of a knot changes a weight by a kilogram. */
const sameKt = 1e-6;
/** Below the crosswind limit of every type on a usable runway. */
const harmlessKt = 5;
/** Below the headwind limit of every type, automatic landings included. */
const harmlessAheadKt = 24;

/** The smallest share of a headwind that any profile credits in flight. */
const creditedKt = (headwindKt: number): number => headwindKt * (headwindKt > 0 ? 0.35 : 1.2);

const inCircle = (deg: number): number => ((deg % 360) + 360) % 360;

/**
 * The wind from its mean direction, and from those directions within its variation that may be the worst for a runway.
 */
const fromEach = (held: HeldWind, trueBearingDeg: number | null): HeldWind[] => {
  const { wind, variation, name } = held;
  if (!variation || trueBearingDeg === null || wind.variable || wind.directionDeg === null) return [held];
  const { fromDeg, toDeg } = variation;
  const text = [fromDeg, toDeg].map((deg) => String(deg).padStart(3, '0')).join('V');
  const across = [90, 180, 270]
    .map((deg) => inCircle(trueBearingDeg + deg))
    .filter((deg) => inCircle(deg - fromDeg) <= inCircle(toDeg - fromDeg));
  const varied = [fromDeg, toDeg, ...across].map((directionDeg) => ({
    ...held,
    name: `${name}, ${text}`,
    wind: { ...wind, directionDeg },
  }));
  return [held, ...varied];
};

const onRunway = (held: HeldWind, trueBearingDeg: number | null) => {
  const { directionDeg, variable, speedKt, gustKt } = held.wind;
  const speed = speedKt ?? 0;
  const gust = Math.max(speed, gustKt ?? 0);
  const isWhole = variable || directionDeg === null || trueBearingDeg === null;
  const angle = isWhole ? 0 : ((directionDeg - trueBearingDeg) * Math.PI) / 180;
  const along = isWhole ? -1 : Math.cos(angle);
  return {
    held,
    speed,
    gustKt,
    headwindKt: speed * along,
    tailwindKt: Math.max(0, -gust * along),
    aheadKt: gust * along,
    crosswindKt: gust * (isWhole ? 1 : Math.abs(Math.sin(angle))),
    vrefAddKt: vrefAdd(speed * along, speed, gustKt),
  };
};
type OnRunway = ReturnType<typeof onRunway>;

const most = (winds: readonly OnRunway[], ...keys: ((wind: OnRunway) => number)[]): OnRunway | undefined =>
  winds.reduce<OnRunway | undefined>((best, one) => {
    const difference = best && keys.map((key) => key(one) - key(best)).find((kt) => Math.abs(kt) > sameKt);
    return !best || (difference ?? 0) > 0 ? one : best;
  }, undefined);

/**
 * Returns the wind with the worst crosswind; if another one is worse along the runway, `headwind` is the component of that
 * one. Without a bearing, the strongest wind is used. Undefined if no wind is known.
 */
export const worstWind = (
  held: readonly HeldWind[],
  trueBearingDeg: number | null,
  use: 'arrival' | 'takeoff',
): WorstWind | undefined => {
  const winds = held
    .filter(({ wind }) => wind.speedKt !== null)
    .flatMap((one) => fromEach(one, trueBearingDeg))
    .map((one) => onRunway(one, trueBearingDeg));
  // Ground speed, which includes the wind additive, determines a landing.
  const slowed = ({ headwindKt: kt, vrefAddKt }: OnRunway): number =>
    use === 'arrival' ? vrefAddKt - creditedKt(kt) : -kt;
  const along = most(winds, slowed, (one) => one.tailwindKt);
  const worst = most(
    winds,
    (one) => one.crosswindKt,
    slowed,
    (one) => one.tailwindKt,
  );
  if (!along || !worst) return undefined;
  const across = worst.crosswindKt < harmlessKt ? along : worst;
  const headwindKt = Math.min(...winds.map((one) => one.headwindKt));
  const tailwindKt = Math.max(...winds.map((one) => one.tailwindKt));
  const additiveKt = Math.max(...winds.map(slowed)) + creditedKt(headwindKt);
  const aheadKt = Math.max(...winds.map((one) => one.aheadKt));
  const isOwn =
    across.headwindKt - headwindKt <= sameKt &&
    tailwindKt - across.tailwindKt <= sameKt &&
    (use === 'takeoff' || additiveKt - across.vrefAddKt <= sameKt);
  const isMoreAhead = aheadKt > harmlessAheadKt && !(isOwn && aheadKt - across.aheadKt <= sameKt);
  const { speed, gustKt, held: carrier } = across;
  const { directionDeg, variable } = carrier.wind;
  return {
    weather: {
      windDirection: variable || directionDeg === null ? null : Math.round(directionDeg),
      windSpeed: hundredths(speed),
      gust: gustKt === null ? null : hundredths(gustKt),
      ...(isOwn ? {} : { headwind: Math.floor(headwindKt * 100) / 100, maxTailwind: hundredths(tailwindKt) }),
      ...(isMoreAhead ? { maxHeadwind: hundredths(aheadKt) } : {}),
      ...(trueBearingDeg === null
        ? {}
        : { vrefAdd: use === 'arrival' ? Math.ceil(additiveKt - sameKt) : along.vrefAddKt }),
    },
    tailwindKt,
    headwindKt: aheadKt,
    crosswindKt: worst.crosswindKt,
    across: carrier,
    along: along.held,
  };
};
