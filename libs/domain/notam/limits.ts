import type { ClosedEnds } from '../airports/runway-geometry.ts';
import type { ServedRunwayEnd } from '../airports/served.ts';
import { round } from '../airports/units.ts';
import type { DistanceKind, RunwayEffect } from './types.ts';

/** Declared distances of one runway end, metres. */
export interface RunwayDistances {
  toraM: number;
  todaM: number;
  asdaM: number;
  ldaM: number;
  displacedM: number;
}

/** Limits that one NOTAM, `notam`, sets for a runway end. */
const limitsOf = (notam: string, effects: readonly RunwayEffect[]) => {
  const stated: Partial<Record<DistanceKind, number>> = {};
  for (const effect of effects)
    if (effect.kind === 'declaredDistance')
      stated[effect.distance] = Math.min(effect.valueM, stated[effect.distance] ?? Infinity);
  const closedM = (end: 'start' | 'end'): number =>
    Math.max(
      0,
      ...effects.flatMap((one) => (one.kind === 'shortened' && one.end === end ? one.lengthM : [])),
    );
  const displacedByM = Math.max(0, ...effects.flatMap((one) => (one.kind === 'displaced' ? one.byM : [])));
  return { notam, stated, shortenStartM: closedM('start'), shortenEndM: closedM('end'), displacedByM };
};
type Limits = ReturnType<typeof limitsOf>;

export interface Doubt {
  /** Its number. */
  notam: string;
  text: string;
}

/** Published lengths may be rounded or measured differently; ASDA includes the stopway, TODA the clearway. */
const longestFactor = { TORA: 1.02, LDA: 1.02, ASDA: 1.3, TODA: 1.6 };
const kinds = ['TORA', 'TODA', 'ASDA', 'LDA'] as const;
const fieldOf = { TORA: 'toraM', TODA: 'todaM', ASDA: 'asdaM', LDA: 'ldaM' } as const;

const checkStated = (
  base: RunwayDistances,
  lengthM: number,
  { notam, stated }: Limits,
  doubts: Doubt[],
): Limits['stated'] => {
  const kept: Limits['stated'] = {};
  for (const kind of kinds) {
    const { [kind]: valueM } = stated;
    if (valueM === undefined) continue;
    const baseM = base[fieldOf[kind]];
    const isTooLong = valueM > lengthM * longestFactor[kind];
    if (!isTooLong) kept[kind] = valueM;
    const why = isTooLong
      ? `the runway (${lengthM} m): not applied`
      : `published (${baseM} m): the shorter applies`;
    if (isTooLong || valueM > baseM)
      doubts.push({ notam, text: `${kind} ${valueM} m is longer than ${why}` });
  }
  return kept;
};

/** Landing threshold under one NOTAM. Where the NOTAM states the LDA, the threshold follows from the LDA. */
const thresholdM = (base: RunwayDistances, lengthM: number, limit: Limits, ldaM = 0): number => {
  const movedM = limit.displacedByM > 0 ? base.displacedM + limit.displacedByM : 0;
  const endM = Math.min(base.displacedM + base.ldaM, lengthM - limit.shortenEndM);
  return Math.max(limit.shortenStartM, Math.min(movedM, Math.max(base.displacedM, endM - ldaM)));
};

/**
 * Distances under all limits together. A part closed at the start moves the landing threshold only beyond its
 * displacement: LDA = published - max(0, closed start - displaced) - closed end. A distance stated by a NOTAM is not
 * reduced again by its own closed part, but the LDA never exceeds the open pavement. A NOTAM with only the TORA reduces
 * TODA and ASDA equally. Stopway and clearway beyond a closed end do not count.
 */
export const applyLimits = (
  { lengthM, distances, displacedThresholdM: displacedM }: ServedRunwayEnd,
  notams: readonly { notam: string; effects: readonly RunwayEffect[] }[],
): { distances: RunwayDistances; closed: ClosedEnds; isLdaStated: boolean; doubts: Doubt[] } => {
  const doubts: Doubt[] = [];
  const base: RunwayDistances = {
    toraM: distances.tora.valueM,
    todaM: distances.toda.valueM,
    asdaM: distances.asda.valueM,
    ldaM: distances.lda.valueM,
    displacedM,
  };
  const out = { ...base };
  let startM = 0;
  let startLdaM = 0;
  let endM = 0;
  let endLdaM = 0;
  let movedM = 0;
  const closed = { closedStartM: 0, closedEndM: 0 };
  let isLdaStated = false;
  for (const { notam, effects } of notams) {
    const limit = limitsOf(notam, effects);
    const removedM = limit.shortenStartM + limit.shortenEndM;
    if (removedM >= lengthM || limit.displacedByM >= lengthM) {
      const text = `takes ${Math.max(removedM, limit.displacedByM)} m from a runway of ${lengthM} m: not applied`;
      doubts.push({ notam, text });
      continue;
    }
    const stated = checkStated(base, lengthM, limit, doubts);
    for (const kind of kinds) out[fieldOf[kind]] = Math.min(out[fieldOf[kind]], stated[kind] ?? Infinity);
    closed.closedStartM = Math.max(closed.closedStartM, limit.shortenStartM);
    closed.closedEndM = Math.max(closed.closedEndM, limit.shortenEndM);
    isLdaStated ||= stated.LDA !== undefined && stated.LDA <= base.ldaM;
    movedM = Math.max(movedM, thresholdM(base, lengthM, limit, stated.LDA));
    out.ldaM = Math.min(out.ldaM, lengthM - removedM);
    const lostM = Math.max(0, base.toraM - (stated.TORA ?? base.toraM));
    if (stated.TODA === undefined) out.todaM = Math.min(out.todaM, base.todaM - lostM);
    if (stated.ASDA === undefined) out.asdaM = Math.min(out.asdaM, base.asdaM - lostM);
    if (stated.LDA === undefined) {
      startLdaM = Math.max(startLdaM, limit.shortenStartM - base.displacedM, limit.displacedByM);
      endLdaM = Math.max(endLdaM, limit.shortenEndM);
    }
    if (stated.TORA === undefined) {
      startM = Math.max(startM, limit.shortenStartM);
      endM = Math.max(endM, limit.shortenEndM);
    }
  }
  const cut = (valueM: number, fromM: number, removedM: number): number =>
    Math.max(0, round(Math.min(valueM, fromM - removedM), 1));
  out.ldaM = cut(out.ldaM, base.ldaM, startLdaM + endLdaM);
  out.toraM = cut(out.toraM, base.toraM, startM + endM);
  // Stopway and clearway lie beyond the closed end.
  const reachM = endM > 0 ? out.toraM : Infinity;
  out.todaM = Math.min(reachM, cut(out.todaM, base.todaM, startM + endM));
  out.asdaM = Math.min(reachM, cut(out.asdaM, base.asdaM, startM + endM));
  out.displacedM = round(Math.max(base.displacedM, movedM), 1);
  return { distances: out, closed, isLdaStated, doubts };
};
