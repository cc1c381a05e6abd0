import type { Qualifiers } from './closure-qualifiers.ts';
import { designatorsIn } from './text.ts';
import { landing, takeoff } from './traffic.ts';
import type { Reading, RunwayEffect, RunwayUse, Surface } from './types.ts';

export const closureWord = String.raw`(?:CLSD|CLOSED|CSLD|CLSED|UNUSABLE|UNAVAILABLE|UNAVBL|NOT AVBL|NOT AVAILABLE|NOT USABLE|NOT TO BE USED|NOT AUTH(?:ORIZED)?|NOT ALLOWED|NOT PERMITTED|UNSERVICEABLE|U\/S|PROHIBITED|FORBIDDEN|SUSPENDED|BLOCKED|OUT OF (?:SERVICE|USE)|WITHDRAWN FROM (?:SERVICE|USE))`;
/** As `use`, without a group. */
export const useWord = String.raw`(?:${takeoff}|${landing})`;
export const use = String.raw`(${takeoff}|${landing}|${takeoff}\s*(?:AND|\/|OR)\s*${landing}|${landing}\s*(?:AND|\/|OR)\s*${takeoff})`;
export const surfaceOf = (subject: string): Surface | undefined => {
  const unpaved = /\b(?:GRASS|UNPAVED|GRAVEL|AIRSTRIP)\b/.test(subject);
  const paved = /\b(?:PAVED|ASPH|ASPHALT|CONC|CONCRETE)\b/.test(subject);
  return unpaved === paved ? undefined : unpaved ? 'unpaved' : 'paved';
};

export const useOf = (words: string): RunwayUse => {
  const isTakeoff = new RegExp(takeoff).test(words);
  const isLanding = new RegExp(`${landing}(?![A-Z])`).test(words);
  return isTakeoff && isLanding ? 'all' : isTakeoff ? 'takeoff' : 'landing';
};

export const optional = (surface: Surface | undefined, condition: string | undefined) => ({
  ...(surface === undefined ? {} : { surface }),
  ...(condition === undefined ? {} : { condition }),
});

/**
 * Each runway of a list closes; its surface word applies to it alone ("RWY 09/27 AND GRASS RWY 09/27"). Of a strip that
 * is named with both surfaces everything is closed.
 */
export const closeList = (
  list: string,
  closedUse: RunwayUse,
  condition: string | undefined,
): RunwayEffect[] => {
  const found = list
    .split(/,| AND | N?OR | ET |&|\+/)
    .flatMap((item) => designatorsIn(item.trim()).map((runway) => ({ runway, surface: surfaceOf(item) })));
  const isWhole = (runway: string): boolean =>
    (['paved', 'unpaved'] as const).every((each) =>
      found.some((one) => one.runway === runway && one.surface === each),
    );
  return found.map(({ runway, surface }) => ({
    kind: 'closed',
    runway,
    use: closedUse,
    ...optional(isWhole(runway) ? undefined : surface, condition),
  }));
};

/** The closed list with what the tail says about it. */
export const closedWith = (list: string, judged: Qualifiers, closedUse?: RunwayUse): Reading => {
  if (judged.kind === 'not') return { effects: [], flags: [judged.flag] };
  return {
    effects: closeList(list, closedUse ?? judged.use, judged.condition),
    flags: judged.flag === undefined ? [] : [judged.flag],
  };
};

export const withoutDesignator = (
  judged: Qualifiers,
  single: boolean,
  surface: Surface | undefined,
): Reading =>
  judged.kind === 'not'
    ? { effects: [], flags: [judged.flag] }
    : {
        effects: [
          { kind: 'allRunwaysClosed', use: judged.use, single, ...optional(surface, judged.condition) },
        ],
        flags: [...(judged.flag === undefined ? [] : [judged.flag]), 'runway closed without a designator'],
      };
