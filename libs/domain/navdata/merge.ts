import type { NavPoint, NavdataSet } from './types.ts';

const keyOf = ({ ident, latitudeDeg, longitudeDeg }: NavPoint): string =>
  `${ident} ${latitudeDeg} ${longitudeDeg}`;

const joined = (sets: readonly NavdataSet[], first: NavdataSet): NavdataSet => {
  const points = new Map<string, NavPoint>();
  for (const point of sets.flatMap((set) => set.points))
    if (!points.has(keyOf(point))) points.set(keyOf(point), point);
  return {
    ...first,
    points: [...points.values()],
    airways: sets.flatMap((set) => set.airways),
    rejects: sets.flatMap((set) => set.rejects),
  };
};

/**
 * Merges the files of a source and cycle into one set, because a stored set replaces the previous one. Of points with
 * the same ident and place, the first wins. An undated file takes the newest cycle among the source's other files.
 * Older cycles come first, and points before the airways that use them.
 */
export const mergeNavdata = (sets: readonly NavdataSet[]): NavdataSet[] => {
  const dated = sets.map((set): NavdataSet => {
    if (set.cycle !== null) return set;
    const cycles = sets.flatMap(({ source, cycle }) =>
      source === set.source && cycle !== null ? [cycle] : [],
    );
    return { ...set, cycle: cycles.toSorted().at(-1) ?? null };
  });
  const groups = Map.groupBy(dated, ({ source, cycle }) => `${source} ${cycle ?? ''}`);
  return [...groups.values()]
    .flatMap((group) => (group[0] ? [joined(group, group[0])] : []))
    .toSorted(
      (a, b) =>
        Number(a.points.length === 0) - Number(b.points.length === 0) ||
        (a.cycle ?? '').localeCompare(b.cycle ?? ''),
    );
};
