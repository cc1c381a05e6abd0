import { describeEffect } from './describe.ts';
import { applyLimits, limitsOf } from './limits.ts';
import type { RunwayDistances } from './limits.ts';
import { inForceAt } from './schedule-at.ts';
import type { InForce } from './schedule-at.ts';
import type { Notam, Position, RunwayEffect } from './types.ts';
import type { ClosedEnds } from '../airports/runway-geometry.ts';
import { formatVariant } from '../airports/variant.ts';

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

/** A NOTAM; a stored one has the number that names its variant, others are counted from 1. */
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

/** The runway as it would be with the effects of one NOTAM; `ident` is what a request sends. */
export interface RunwayVariant extends RunwayDistances, ClosedEnds {
  ident: string;
  notam: string;
  /** The text gives the LDA, which is then a declared distance. */
  isLdaStated: boolean;
  isClosedForLanding: boolean;
  isClosedForTakeoff: boolean;
  inForce: InForce;
  fromUtc: string;
  toUtc: string | null;
  schedule: string | null;
  isFlagged: boolean;
}

export interface RunwayNotamState extends RunwayDistances, ClosedEnds {
  isLdaStated: boolean;
  /** For landing and for take-off. */
  closed: boolean;
  closedForLanding: boolean;
  closedForTakeoff: boolean;
  /** Names of exits closed for this runway. */
  closedExits: string[];
  /** TORA from intersections that a NOTAM changes, by intersection name. */
  intersectionsM: Record<string, number>;
  /** True when an effect in force changed the LDA. */
  isNotam: boolean;
  reasons: NotamReason[];
  flagged: NotamToRead[];
  variants: RunwayVariant[];
}

interface Closure {
  landing: boolean;
  takeoff: boolean;
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

const addClosure = (closure: Closure, effect: RunwayEffect): void => {
  if (effect.kind !== 'closed' && effect.kind !== 'allRunwaysClosed' && effect.kind !== 'aerodromeClosed')
    return;
  if (effect.use !== 'takeoff') closure.landing = true;
  if (effect.use !== 'landing') closure.takeoff = true;
};

const distanceKinds = new Set<RunwayEffect['kind']>(['declaredDistance', 'shortened', 'displaced']);

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
  if (notam.type === 'C' || !notam.airports.includes(runway.icao)) return null;
  const inForce = inForceAt(notam, now, runway.position ?? null);
  const isPast = notam.toUtc !== null && !notam.isEstimated && now.getTime() >= Date.parse(notam.toUtc);
  if (isPast || now.getTime() < Date.parse(notam.fromUtc)) return null;
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
  const strangers = unknownDesignators(notam, runway);
  if (strangers.length > 0) doubts.push(`names ${strangers.join(', ')}, which this aerodrome does not have`);
  const isOfThisRunway =
    effects.length > 0 || doubts.length > 0 || (notam.effects.length === 0 && concerns(notam, runway.ident));
  if (isOfThisRunway)
    doubts.push(...notam.flags.filter((flag) => !doubts.some((doubt) => doubt.includes(flag))));
  return effects.length > 0 || doubts.length > 0 ? { notam, inForce, effects, doubts } : null;
};

/**
 * Effect of the NOTAM of an aerodrome on one runway direction at `now`. Effects in force are applied; what is
 * possibly in force, conditional, implausible or not understood goes to `flagged` and changes nothing. For
 * every distance the shorter of several figures wins. `variants` lists each NOTAM inside its validity that
 * closes or shortens this runway, whether or not its schedule is active now.
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
  const closure: Closure = { landing: false, takeoff: false };
  const reasons: NotamReason[] = [];
  const flagged: NotamReason[] = [];
  const closedExits = new Set<string>();
  const intersectionsM: Record<string, number> = {};
  const active: { number: string; effects: RunwayEffect[] }[] = [];
  for (const { notam, inForce, effects, doubts } of found) {
    const add = (list: NotamReason[], text: string, exit?: string) =>
      list.push({ notam: notam.number, text, ...(exit === undefined ? {} : { exit }) });
    if (inForce !== 'inactive') for (const doubt of doubts) add(flagged, doubt);
    if (inForce === 'unknown')
      for (const effect of effects) add(flagged, `possibly in force: ${describeEffect(effect)}`);
    if (inForce !== 'active') continue;
    for (const effect of effects) {
      addClosure(closure, effect);
      if (effect.kind === 'exitClosed') closedExits.add(effect.name);
      if (effect.kind === 'intersectionDistance')
        intersectionsM[effect.intersection] = Math.min(
          effect.valueM,
          intersectionsM[effect.intersection] ?? Infinity,
        );
      add(reasons, describeEffect(effect), effect.kind === 'exitClosed' ? effect.name : undefined);
    }
    active.push({ number: notam.number, effects });
  }
  const limits = active.map(({ number, effects }) => limitsOf(effects, number));
  const applied = applyLimits(runway, runway.lengthM, limits);
  for (const doubt of applied.doubts) flagged.push({ notam: doubt.source, text: doubt.text });
  const variants = variantsOf(found, runway);
  const texts = new Map(found.map(({ notam }) => [notam.number, notam.text]));
  return {
    ...applied.distances,
    ...applied.closed,
    isLdaStated: applied.isLdaStated,
    closed: closure.landing && closure.takeoff,
    closedForLanding: closure.landing,
    closedForTakeoff: closure.takeoff,
    closedExits: [...closedExits],
    intersectionsM,
    isNotam: applied.distances.ldaM !== runway.ldaM,
    reasons,
    flagged: flagged.map((one) => ({ ...one, said: texts.get(one.notam) ?? '' })),
    variants,
  };
};

const variantsOf = (found: Relevant[], runway: RunwayFacts): RunwayVariant[] =>
  found
    .map((each) => {
      const closure: Closure = { landing: false, takeoff: false };
      for (const effect of each.effects) addClosure(closure, effect);
      return { ...each, closure, applied: applyLimits(runway, runway.lengthM, [limitsOf(each.effects)]) };
    })
    .filter(
      ({ effects, closure }) =>
        closure.landing || closure.takeoff || effects.some((e) => distanceKinds.has(e.kind)),
    )
    .map(({ notam, inForce, closure, applied, doubts }, i) => ({
      ident: formatVariant({ ident: runway.ident, intersection: null, notams: [notam.id ?? i + 1] }),
      notam: notam.number,
      ...applied.distances,
      ...applied.closed,
      isLdaStated: applied.isLdaStated,
      isClosedForLanding: closure.landing,
      isClosedForTakeoff: closure.takeoff,
      inForce,
      fromUtc: notam.fromUtc,
      toUtc: notam.toUtc,
      schedule: notam.scheduleRaw,
      isFlagged: doubts.length > 0 || applied.doubts.length > 0,
    }));
