import type { RunwayEffect } from './types.ts';

const closed = { all: 'closed', landing: 'closed for landing', takeoff: 'closed for take-off' };

/** One effect in plain words, for reasons and operators. */
export const describeEffect = (effect: RunwayEffect): string => {
  if (effect.kind === 'closed') return `runway ${effect.runway} ${closed[effect.use]}`;
  if (effect.kind === 'allRunwaysClosed') return `all runways ${closed[effect.use]}`;
  if (effect.kind === 'aerodromeClosed') return `aerodrome ${closed[effect.use]}`;
  if (effect.kind === 'declaredDistance') return `${effect.distance} ${effect.runway} ${effect.valueM} m`;
  if (effect.kind === 'displaced') return `threshold ${effect.runway} displaced by ${effect.byM} m`;
  if (effect.kind === 'exitClosed') return `exit ${effect.name} closed`;
  if (effect.kind === 'intersectionDistance')
    return `${effect.valueM} m from ${effect.intersection} on ${effect.runway}`;
  return `${effect.end === 'start' ? 'first' : 'last'} ${effect.lengthM} m of ${effect.runway} closed`;
};

const maxShown = 1_000;

/** A NOTAM that the pilot has to read, with the reason and its text. */
interface NotamToRead {
  notam: string;
  text: string;
  said: string;
}

/** Each NOTAM once, with the reasons to read it and its text: `A0123/26 (reason): text`. */
export const notamsToRead = (flagged: readonly NotamToRead[]): { notam: string; text: string }[] =>
  [...Map.groupBy(flagged, ({ notam }) => notam)].map(([notam, all]) => {
    const words = (all[0]?.said ?? '').replace(/\s+/g, ' ').trim();
    const shown = words.length > maxShown ? `${words.slice(0, maxShown)} …` : words;
    return { notam, text: `${notam} (${all.map(({ text }) => text).join('; ')}): ${shown}` };
  });
