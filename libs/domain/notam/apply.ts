import { describeEffect } from './describe.ts';
import { applyLimits, limitsOf } from './limits.ts';
import type { RunwayDistances } from './limits.ts';
import { inForceAt } from './schedule-at.ts';
import type { InForce } from './schedule-at.ts';
import type { Notam, Position, RunwayEffect } from './types.ts';
import { isValidAt } from './validity.ts';
import type { ClosedEnds } from '../airports/runway-geometry.ts';

/** One runway direction as published, without any NOTAM. Lengths in metres, idents padded. */
export interface RunwayFacts extends RunwayDistances {
  icao: string;
  ident: string;
  lengthM: number;
  /** Null or absent: surface not known. */
  isPaved?: boolean | null;
  /**
   * Every direction of the aerodrome; identifies unknown designators, and the only runway where the text names
   * none.
   */
  airportIdents: readonly string[];
  position?: Position | null;
}

/** A NOTAM; a stored one has the number that names its variant. */
export type NotamOfRunway = Notam & { readonly id?: number };

/** A NOTAM that applies now, or may apply, and the reason in plain words. */
export interface NotamReason {
  notam: string;
  text: string;
  /** The exit that it closes. */
  exit?: string;
}

/** A NOTAM that has to be read, why, and what it says. */
export interface NotamToRead {
  notam: string;
  text: string;
  said: string;
}

/** A direction as NOTAM make it: one of them, or all that are in force. */
export interface RunwayUnderNotam extends RunwayDistances, ClosedEnds {
  /** Of one: that one; of what is in force: those that change distances. */
  notams: readonly NotamOfRunway[];
  /** The fewest of them that leave the same distances, which name it. */
  decisive: readonly NotamOfRunway[];
  isInForce: boolean;
  /** The text gives the LDA, which is then a declared distance. */
  isLdaStated: boolean;
  closedForLanding: boolean;
  closedForTakeoff: boolean;
}

/** What is in force now. */
export interface RunwayNotamState extends RunwayUnderNotam {
  /** For landing and for take-off. */
  closed: boolean;
  /** Names of exits closed for this runway. */
  closedExits: string[];
  /** TORA from intersections that a NOTAM changes, by intersection name. */
  intersectionsM: Record<string, number>;
  reasons: NotamReason[];
  flagged: NotamToRead[];
  /** Each NOTAM inside its validity, whether or not its schedule is active, then those in force together. */
  variants: RunwayUnderNotam[];
}

type Applies = 'yes' | 'no' | { doubt: string };

const surfaceApplies = (effect: RunwayEffect, runway: RunwayFacts): Applies => {
  if (!('surface' in effect) || effect.surface === undefined) return 'yes';
  if (runway.isPaved === undefined || runway.isPaved === null) return 'yes';
  return runway.isPaved === (effect.surface === 'paved') ? 'yes' : 'no';
};

/** Designators must be equal: a 23 in the text never means 23L. */
const appliesTo = (effect: RunwayEffect, runway: RunwayFacts): Applies => {
  if (effect.kind === 'aerodromeClosed') return 'yes';
  if (effect.kind === 'allRunwaysClosed') {
    if (effect.single && runway.airportIdents.length > 2)
      return { doubt: 'the text does not say which runway' };
    return surfaceApplies(effect, runway);
  }
  if (effect.kind === 'exitClosed')
    return effect.runways.length === 0 || effect.runways.includes(runway.ident) ? 'yes' : 'no';
  return effect.runway === runway.ident ? surfaceApplies(effect, runway) : 'no';
};

const unknownDesignators = (notam: Notam, runway: RunwayFacts): string[] => [
  ...new Set(
    notam.effects.flatMap((effect) =>
      'runway' in effect && runway.airportIdents.length > 0 && !runway.airportIdents.includes(effect.runway)
        ? [effect.runway]
        : [],
    ),
  ),
];

const isClosedFor = (use: 'landing' | 'takeoff', effects: readonly RunwayEffect[]): boolean =>
  effects.some(
    (effect) =>
      (effect.kind === 'closed' || effect.kind === 'allRunwaysClosed' || effect.kind === 'aerodromeClosed') &&
      (effect.use === 'all' || effect.use === use),
  );

const distanceKinds = new Set<RunwayEffect['kind']>(['declaredDistance', 'shortened', 'displaced']);
const variantKinds = new Set([...distanceKinds, 'closed', 'allRunwaysClosed', 'aerodromeClosed']);

/** A note without effects applies to the runways it names, or to all when it names none. */
const concerns = ({ runways }: Notam, ident: string): boolean =>
  runways.length === 0 || runways.includes(ident);

interface Relevant {
  notam: NotamOfRunway;
  inForce: InForce;
  effects: RunwayEffect[];
  doubts: string[];
}

const relevantTo = (notam: NotamOfRunway, runway: RunwayFacts, now: Date): Relevant | null => {
  if (!notam.airports.includes(runway.icao) || !isValidAt(notam, now)) return null;
  const inForce = inForceAt(notam, now, runway.position ?? null);
  const effects: RunwayEffect[] = [];
  const doubts: string[] = [];
  for (const effect of notam.effects) {
    const applies = appliesTo(effect, runway);
    if (applies === 'no') continue;
    if (applies !== 'yes') doubts.push(`${describeEffect(effect)}: ${applies.doubt}`);
    else if (effect.condition !== undefined)
      doubts.push(`may be: ${describeEffect(effect)} (${effect.condition})`);
    else effects.push(effect);
  }
  const unknownRunways = unknownDesignators(notam, runway);
  if (unknownRunways.length > 0)
    doubts.push(`names ${unknownRunways.join(', ')}, which this aerodrome does not have`);
  const isOfThisRunway =
    effects.length > 0 || doubts.length > 0 || (notam.effects.length === 0 && concerns(notam, runway.ident));
  if (isOfThisRunway)
    doubts.push(...notam.flags.filter((flag) => !doubts.some((doubt) => doubt.includes(flag))));
  return effects.length > 0 || doubts.length > 0 ? { notam, inForce, effects, doubts } : null;
};

const changesDistances = ({ effects }: Relevant): boolean =>
  effects.some(({ kind }) => distanceKinds.has(kind));

const runwayUnder = (
  runway: RunwayFacts,
  found: readonly Relevant[],
  isInForce: boolean,
): { under: RunwayUnderNotam; doubts: NotamReason[] } => {
  const effects = found.flatMap((each) => each.effects);
  const limits = found.map((each) => limitsOf(each.effects, each.notam.number));
  const { distances, closed, isLdaStated, doubts } = applyLimits(runway, runway.lengthM, limits);
  const closedForLanding = isClosedFor('landing', effects);
  const closedForTakeoff = isClosedFor('takeoff', effects);
  const changing = found.filter(changesDistances);
  const made = (some: readonly Relevant[]): string => {
    const each = some.map((one) => limitsOf(one.effects, one.notam.number));
    const { doubts: _doubts, ...rest } = applyLimits(runway, runway.lengthM, each);
    return JSON.stringify(rest);
  };
  const whole = made(changing);
  const decisive = changing
    .reduce((kept, one) => {
      const others = kept.filter((each) => each !== one);
      return made(others) === whole ? others : kept;
    }, changing)
    .map(({ notam }) => notam);
  const notams = changing.map(({ notam }) => notam);
  return {
    under: {
      ...distances,
      ...closed,
      notams,
      decisive,
      isInForce,
      isLdaStated,
      closedForLanding,
      closedForTakeoff,
    },
    doubts: doubts.map(({ source, text }) => ({ notam: source, text })),
  };
};

/**
 * Effect of the NOTAM of an aerodrome on one runway direction at `now`. Effects in force are applied; what is
 * possibly in force, conditional, implausible or not understood goes to `flagged` and changes nothing. For
 * every distance the shorter of several figures wins.
 */
export const effectsAt = (
  notams: readonly NotamOfRunway[],
  runway: RunwayFacts,
  now: Date,
): RunwayNotamState => {
  const found = notams
    .map((notam) => relevantTo(notam, runway, now))
    .filter((each) => each !== null)
    .sort((a, b) => (a.notam.fromUtc + a.notam.key < b.notam.fromUtc + b.notam.key ? -1 : 1));
  const reasons: NotamReason[] = [];
  const flagged: NotamReason[] = [];
  const closedExits = new Set<string>();
  const intersectionsM: Record<string, number> = {};
  for (const { notam, inForce, effects, doubts } of found) {
    const add = (list: NotamReason[], text: string, exit?: string) =>
      list.push({ notam: notam.number, text, ...(exit === undefined ? {} : { exit }) });
    if (inForce !== 'inactive') for (const doubt of doubts) add(flagged, doubt);
    if (inForce === 'unknown')
      for (const effect of effects) add(flagged, `possibly in force: ${describeEffect(effect)}`);
    if (inForce !== 'active') continue;
    for (const effect of effects) {
      if (effect.kind === 'exitClosed') closedExits.add(effect.name);
      if (effect.kind === 'intersectionDistance')
        intersectionsM[effect.intersection] = Math.min(
          effect.valueM,
          intersectionsM[effect.intersection] ?? Infinity,
        );
      add(reasons, describeEffect(effect), effect.kind === 'exitClosed' ? effect.name : undefined);
    }
  }
  const active = found.filter(({ inForce }) => inForce === 'active');
  const { under, doubts } = runwayUnder(runway, active, true);
  const single = found
    .filter(({ effects }) => effects.some(({ kind }) => variantKinds.has(kind)))
    .map((each) => ({
      ...runwayUnder(runway, [each], each.inForce === 'active').under,
      notams: [each.notam],
      decisive: [each.notam],
    }));
  const closed = under.closedForLanding && under.closedForTakeoff;
  const texts = new Map(found.map(({ notam }) => [notam.number, notam.text]));
  return {
    ...under,
    closed,
    closedExits: [...closedExits],
    intersectionsM,
    reasons,
    flagged: [...flagged, ...doubts].map((one) => ({ ...one, said: texts.get(one.notam) ?? '' })),
    variants: under.decisive.length > 1 && !closed ? [...single, under] : single,
  };
};
