/** Anyone can edit OurAirports, so an import that loses or rewrites too much is refused. */
interface ImportSize {
  airports: number;
  runwayEnds: number;
}

export interface ImportComparison {
  previous: ImportSize;
  next: ImportSize;
  /** Existing runway ends of the same source whose length changed by more than 10 %. */
  lengthChanged: number;
}

const maxShrink = 0.02;
const maxRewritten = 0.02;
/** Fewer changed lengths are ordinary edits, even in a small data set. */
const rewrittenFloor = 50;

const percent = (part: number, whole: number): string => `${((part / whole) * 100).toFixed(1)} %`;

/**
 * Why to refuse an import: a loss of more than 2 % of airports or runways, or changes to more than 2 % of the lengths.
 * Null: nothing speaks against it.
 */
export const guardImport = ({ previous, next, lengthChanged }: ImportComparison): string | null => {
  const words = { airports: 'airports', runwayEnds: 'runway directions' } as const;
  for (const kind of ['airports', 'runwayEnds'] as const) {
    const lost = previous[kind] - next[kind];
    if (previous[kind] > 0 && lost > previous[kind] * maxShrink)
      return `${words[kind]} fell from ${previous[kind]} to ${next[kind]} (${percent(lost, previous[kind])} lost, 2 % allowed)`;
  }
  return lengthChanged > Math.max(rewrittenFloor, previous.runwayEnds * maxRewritten)
    ? `${lengthChanged} runway directions changed their length by more than 10 %`
    : null;
};
