import type { AircraftProfile } from '#domain/aircraft/profile.ts';
import { kinds } from './report.ts';
import { byGroup, evaluate } from './residuals.ts';
import type { Dataset, Point } from './types.ts';

type Block = AircraftProfile['provenance'][number]['block'];

const isKind =
  (title: string) =>
  (point: Point): boolean =>
    kinds.some((kind) => kind.title === title && kind.match(point));

/** The points that show how far the distances of a block are from published ones. */
const pointsOf: Partial<Record<Block, (point: Point) => boolean>> = {
  inflight: isKind('in flight'),
  dispatch: isKind('dispatch distances'),
  nonNormal: (point) => point.group.startsWith('non-normal'),
};

/** RMS of the distances of a block over all its points, as a share rounded to 0.1 %; null without points. */
export const rmsOfBlock = (profile: AircraftProfile, dataset: Dataset, block: Block): number | null => {
  const match = pointsOf[block];
  if (!match) return null;
  const points = dataset.points
    .filter((point) => point.error === 'percent' && match(point))
    .map((point) => ({ ...point, group: block }));
  const [all] = byGroup(evaluate(profile, points));
  return all ? Math.max(0.001, Number((all.rms / 100).toFixed(3))) : null;
};

/** Puts the RMS of each block with points into the provenance of a profile's JSON; true when one changed. */
export const writeAccuracy = (
  profile: AircraftProfile,
  dataset: Dataset,
  json: { provenance: { block: Block; rms?: number }[] },
): boolean => {
  let isChanged = false;
  for (const entry of json.provenance) {
    const rms = rmsOfBlock(profile, dataset, entry.block);
    if (rms === null || rms === entry.rms) continue;
    entry.rms = rms;
    isChanged = true;
  }
  return isChanged;
};
