import { describeEffect } from './describe.ts';
import { applyLimits } from './limits.ts';
import type { Doubt, RunwayDistances } from './limits.ts';
import { inForceAt } from './schedule-at.ts';
import type { InForce } from './schedule-at.ts';
import { closes, isValidAt, setsDistance } from './types.ts';
import type { Notam, Position, RunwayEffect } from './types.ts';
import type { ClosedEnds } from '../airports/runway-geometry.ts';

/** One runway end as published, without any NOTAM. Lengths in metres, idents padded. */
export interface RunwayFacts extends RunwayDistances {
  icao: string;
  ident: string;
  lengthM: number;
  /** Null or absent: surface not known. */
  isPaved?: boolean | null;
  /**
   * Every runway end of the aerodrome; identifies unknown designators, and the only runway where the text names
   * none.
   */
  airportIdents: readonly string[];
  position?: Position | null;
}

/** A NOTAM; a stored one has the number that names its variant. */
type NotamOfRunway = Notam & { readonly id?: number };

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

/** A runway end under one NOTAM, or under all that are in force. */
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
  effects.some((effect) => closes(effect) && (effect.use === 'all' || effect.use === use));

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

const runwayUnder = (
  runway: RunwayFacts,
  found: readonly Relevant[],
  isInForce: boolean,
): { under: RunwayUnderNotam; doubts: Doubt[] } => {
  const limitedBy = (some: readonly Relevant[]) =>
    applyLimits(
      runway,
      runway.lengthM,
      some.map(({ effects, notam }) => ({ effects, source: notam.number })),
    );
  const shown = (some: readonly Relevant[]): string =>
    JSON.stringify({ ...limitedBy(some), doubts: undefined });
  const effects = found.flatMap((each) => each.effects);
  const changing = found.filter((each) => each.effects.some(setsDistance));
  const whole = shown(changing);
  const decisive = changing.reduce((kept, one) => {
    const others = kept.filter((each) => each !== one);
    return shown(others) === whole ? others : kept;
  }, changing);
  const { distances, closed, isLdaStated, doubts } = limitedBy(found);
  return {
    under: {
      ...distances,
      ...closed,
      notams: changing.map(({ notam }) => notam),
      decisive: decisive.map(({ notam }) => notam),
      isInForce,
      isLdaStated,
      closedForLanding: isClosedFor('landing', effects),
      closedForTakeoff: isClosedFor('takeoff', effects),
    },
    doubts,
  };
};

/**
 * Effect of the NOTAM of an aerodrome on one runway end at `now`. Effects in force are applied; what is
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
  const flagged: Doubt[] = [];
  const closedExits = new Set<string>();
  const intersectionsM: Record<string, number> = {};
  for (const { notam, inForce, effects, doubts } of found) {
    const { number: source } = notam;
    const possible = effects.map((effect) => `possibly in force: ${describeEffect(effect)}`);
    const texts = inForce === 'inactive' ? [] : [...doubts, ...(inForce === 'unknown' ? possible : [])];
    flagged.push(...texts.map((text) => ({ source, text })));
    for (const effect of inForce === 'active' ? effects : []) {
      const reason = { notam: source, text: describeEffect(effect) };
      reasons.push(effect.kind === 'exitClosed' ? { ...reason, exit: effect.name } : reason);
      if (effect.kind === 'exitClosed') closedExits.add(effect.name);
      if (effect.kind === 'intersectionDistance') {
        const { intersection, valueM } = effect;
        intersectionsM[intersection] = Math.min(valueM, intersectionsM[intersection] ?? Infinity);
      }
    }
  }
  const active = found.filter(({ inForce }) => inForce === 'active');
  const { under, doubts } = runwayUnder(runway, active, true);
  const single = found
    .filter(({ effects }) => effects.some((effect) => closes(effect) || setsDistance(effect)))
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
    flagged: [...flagged, ...doubts].map(({ source, text }) => ({
      notam: source,
      text,
      said: texts.get(source) ?? '',
    })),
    variants: under.decisive.length > 1 && !closed ? [...single, under] : single,
  };
};
