import type { AircraftProfile } from '#domain/aircraft/profile.ts';

type Block = AircraftProfile['provenance'][number]['block'];

/** How far published distances are from those of a block, as a share (0.02 is 2 %). */
export interface Accuracy {
  rms: number;
  quality: 'fitted' | 'estimated';
}

/** Of a block without published points: the bar that types without own tables are judged by. */
const estimatedRms = 0.06;

/** Validation RMS of the blocks that a distance depends on, the largest of them; estimated when one has none. */
export const accuracyOf = (profile: AircraftProfile, blocks: readonly Block[]): Accuracy => {
  let rms = 0;
  let quality: Accuracy['quality'] = 'fitted';
  for (const block of blocks) {
    const entry = profile.provenance.find((candidate) => candidate.block === block);
    if (entry?.rms === undefined || entry.quality === 'estimated') quality = 'estimated';
    rms = Math.max(rms, entry?.rms ?? estimatedRms);
  }
  return { rms, quality };
};

/** The accuracy of a distance in which a part has no published points. */
export const estimatedOf = ({ rms }: Accuracy): Accuracy => ({
  rms: Math.max(rms, estimatedRms),
  quality: 'estimated',
});
