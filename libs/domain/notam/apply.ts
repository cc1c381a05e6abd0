import { describeEffect } from './describe.ts';
import { applyLimits } from './limits.ts';
import type { Doubt, RunwayDistances } from './limits.ts';
import { inForceAt } from './schedule-at.ts';
import type { InForce } from './schedule-at.ts';
import { closes, isValidAt, setsDistance } from './types.ts';
import type { Notam, RunwayEffect } from './types.ts';
import type { ServedRunwayEnd } from '../airports/served.ts';
import type { Position } from '../airports/types.ts';
import type { ClosedEnds } from '../airports/runway-geometry.ts';

/** A stored NOTAM. Its number appears in the ids of the runway variants made from it (`07L.N12`). */
export type NumberedNotam = Notam & { id: number };

/** An aerodrome as published, with all its runway ends. */
export interface AirportEnds extends Position {
  icao: string;
  ends: readonly ServedRunwayEnd[];
}

/** A NOTAM that applies or may apply now, with the reason in plain words. */
export interface NotamReason {
  notam: string;
  text: string;
  /** The closed exit. */
  exit?: string;
}

/** A runway end under one NOTAM, or under all NOTAM in force. */
export interface RunwayUnderNotam extends RunwayDistances, ClosedEnds {
  /** The one NOTAM of a variant, or all NOTAM in force that change distances. */
  notams: readonly NumberedNotam[];
  /** The smallest subset of `notams` with the same distances; it names the variant. */
  decisive: readonly NumberedNotam[];
  isInForce: boolean;
  /** The text states the LDA, so it is a declared distance. */
  isLdaStated: boolean;
  closedFor: Readonly<Record<'landing' | 'takeoff', boolean>>;
}

/** The state with the NOTAM in force now. */
export type RunwayNotamState = ReturnType<typeof endUnderNotams>;

const isOfSurface = (effect: RunwayEffect, { surface }: ServedRunwayEnd): boolean =>
  !('surface' in effect) ||
  effect.surface === undefined ||
  surface === 'unknown' ||
  (surface === 'paved') === (effect.surface === 'paved');

/** Designators must be equal: a 23 in the text never means 23L. */
const appliesTo = (effect: RunwayEffect, end: ServedRunwayEnd): boolean => {
  if (effect.kind === 'aerodromeClosed') return true;
  if (effect.kind === 'exitClosed') return effect.runways.length === 0 || effect.runways.includes(end.ident);
  const isOfRunway = effect.kind === 'allRunwaysClosed' || effect.runway === end.ident;
  return isOfRunway && isOfSurface(effect, end);
};

const isClosedFor = (use: 'landing' | 'takeoff', effects: readonly RunwayEffect[]): boolean =>
  effects.some((effect) => closes(effect) && (effect.use === 'all' || effect.use === use));

interface Relevant {
  notam: NumberedNotam;
  inForce: InForce;
  effects: RunwayEffect[];
  doubts: string[];
}

const relevantTo = (
  notam: NumberedNotam,
  airport: AirportEnds,
  end: ServedRunwayEnd,
  now: Date,
): Relevant | null => {
  if (!notam.airports.includes(airport.icao) || !isValidAt(notam, now)) return null;
  const inForce = inForceAt(notam, now, airport);
  const effects: RunwayEffect[] = [];
  const doubts: string[] = [];
  for (const effect of notam.effects) {
    const isOfOneRunway = effect.kind === 'allRunwaysClosed' && effect.single;
    // The text names no runway, which is clear only if there is one.
    if (isOfOneRunway && airport.ends.length > 2)
      doubts.push(`${describeEffect(effect)}: the text does not say which runway`);
    else if (!appliesTo(effect, end)) continue;
    else if (effect.condition !== undefined)
      doubts.push(`may be: ${describeEffect(effect)} (${effect.condition})`);
    else effects.push(effect);
  }
  const named = new Set(notam.effects.flatMap((effect) => ('runway' in effect ? effect.runway : [])));
  const unknown = [...named].filter((ident) => !airport.ends.some((each) => each.ident === ident));
  if (unknown.length > 0) doubts.push(`names ${unknown.join(', ')}, which this aerodrome does not have`);
  // A note without effects applies to the runways it names, or to all runways if it names none.
  const isNamed = notam.runways.length === 0 || notam.runways.includes(end.ident);
  const isOfThisRunway = effects.length > 0 || doubts.length > 0 || (notam.effects.length === 0 && isNamed);
  if (isOfThisRunway)
    doubts.push(...notam.flags.filter((flag) => !doubts.some((doubt) => doubt.includes(flag))));
  return effects.length > 0 || doubts.length > 0 ? { notam, inForce, effects, doubts } : null;
};

const runwayUnder = (
  end: ServedRunwayEnd,
  found: readonly Relevant[],
  isInForce: boolean,
): { under: RunwayUnderNotam; doubts: Doubt[] } => {
  const limitedBy = (some: readonly Relevant[]) =>
    applyLimits(
      end,
      some.map(({ effects, notam: { number } }) => ({ effects, notam: number })),
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
      closedFor: { landing: isClosedFor('landing', effects), takeoff: isClosedFor('takeoff', effects) },
    },
    doubts,
  };
};

/**
 * Applies the NOTAM of an aerodrome to one of its runway ends at `now`. Only effects certainly in force change
 * distances; those possibly in force, conditional, implausible or not understood are listed in `flagged`. The shortest
 * figure for a distance wins.
 */
export const endUnderNotams = (
  airport: AirportEnds,
  end: ServedRunwayEnd,
  notams: readonly NumberedNotam[],
  now: Date,
) => {
  const found = notams
    .map((notam) => relevantTo(notam, airport, end, now))
    .filter((each) => each !== null)
    .sort((a, b) => (a.notam.fromUtc + a.notam.key < b.notam.fromUtc + b.notam.key ? -1 : 1));
  const reasons: NotamReason[] = [];
  const flagged: Doubt[] = [];
  const intersectionsM: Record<string, number> = {};
  for (const { notam, inForce, effects, doubts } of found) {
    const { number } = notam;
    const possible = effects.map((effect) => `possibly in force: ${describeEffect(effect)}`);
    const texts = inForce === 'inactive' ? [] : [...doubts, ...(inForce === 'unknown' ? possible : [])];
    flagged.push(...texts.map((text) => ({ notam: number, text })));
    for (const effect of inForce === 'active' ? effects : []) {
      const reason = { notam: number, text: describeEffect(effect) };
      reasons.push(effect.kind === 'exitClosed' ? { ...reason, exit: effect.name } : reason);
      if (effect.kind === 'intersectionDistance') {
        const { intersection, valueM } = effect;
        intersectionsM[intersection] = Math.min(valueM, intersectionsM[intersection] ?? Infinity);
      }
    }
  }
  const active = found.filter(({ inForce }) => inForce === 'active');
  const { under, doubts } = runwayUnder(end, active, true);
  const single = found
    .filter(({ effects }) => effects.some((effect) => closes(effect) || setsDistance(effect)))
    .map((each) => ({
      ...runwayUnder(end, [each], each.inForce === 'active').under,
      notams: [each.notam],
      decisive: [each.notam],
    }));
  const closed = under.closedFor.landing && under.closedFor.takeoff;
  const texts = new Map(found.map(({ notam }) => [notam.number, notam.text]));
  return {
    ...under,
    /** For both landing and takeoff. */
    closed,
    /** Names of exits closed for this runway. */
    closedExits: [...new Set(reasons.flatMap(({ exit }) => exit ?? []))],
    /** TORA from intersections where a NOTAM changes it, by intersection name. */
    intersectionsM,
    reasons,
    flagged: [...flagged, ...doubts].map((doubt) => ({ ...doubt, said: texts.get(doubt.notam) ?? '' })),
    /** One variant per NOTAM within its validity (even if its schedule is inactive), then one with all in force. */
    variants: under.decisive.length > 1 && !closed ? [...single, under] : single,
  };
};
