import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { kinds } from './report.ts';
import { blockOf, byGroup, evaluate } from './residuals.ts';
import type { Dataset, Point } from './types.ts';

type Block = AircraftProfile['provenance'][number]['block'];

const isKind =
  (title: string) =>
  (point: Point): boolean =>
    kinds.some((kind) => kind.title === title && kind.match(point));

/** Points that measure the error of a block's distances. */
const pointsOf: Partial<Record<Block, (point: Point) => boolean>> = {
  inflight: isKind('in flight'),
  dispatch: isKind('dispatch distances'),
  nonNormal: (point) => point.group.startsWith('non-normal'),
};

/**
 * RMS error of a block's distances over all its points, as a share rounded to 0.1 %; null without points. Points from
 * outside the repository count only if it has none.
 */
export const rmsOfBlock = (
  profile: AircraftProfile,
  dataset: Dataset,
  block: Block,
  outside: readonly Point[] = [],
): number | null => {
  const match = pointsOf[block];
  if (!match) return null;
  const own = dataset.points.filter((point) => point.error === 'percent' && match(point));
  const others = outside.filter((point) => point.error === 'percent' && blockOf(point) === block);
  const points = (own.length > 0 ? own : others).map((point) => ({ ...point, group: block }));
  const [all] = byGroup(evaluate(profile, points));
  return all ? Math.max(0.001, Number((all.rms / 100).toFixed(3))) : null;
};

/** Stores the RMS of each block with points in the provenance of a profile's JSON; true if any changed. */
export const writeAccuracy = (
  profile: AircraftProfile,
  dataset: Dataset,
  outside: readonly Point[],
  json: Readonly<Record<string, unknown>>,
): boolean => {
  let isChanged = false;
  // The caller has parsed it as a profile.
  for (const entry of json['provenance'] as { block: Block; rms?: number }[]) {
    const rms = rmsOfBlock(profile, dataset, entry.block, outside);
    if (rms === null || rms === entry.rms) continue;
    entry.rms = rms;
    isChanged = true;
  }
  return isChanged;
};
