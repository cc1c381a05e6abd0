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
 * Files of one source and cycle as one set, because a stored set replaces the previous one; one point per ident
 * and place, the first wins. A file without a cycle belongs to the newest one that another file of its source
 * names. Older cycles come first, points before the airways that name them.
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
