/** Checklists that are offered to the community, the latest first; arrays of numbers, because every login counts in them. */
export interface Offers {
  sharedAtMs: Float64Array;
  /** Their owners; 0 for an airline. */
  userIds: Int32Array;
}

/** Number of checklists that others have offered after a time. */
export const newInCommunity = ({ sharedAtMs, userIds }: Offers, userId: number, since: Date): number => {
  const sinceMs = since.getTime();
  let later = 0;
  let end = sharedAtMs.length;
  while (later < end) {
    const middle = (later + end) >> 1;
    if ((sharedAtMs[middle] ?? 0) > sinceMs) later = middle + 1;
    else end = middle;
  }
  let own = 0;
  for (let i = 0; i < later; i += 1) if (userIds[i] === userId) own += 1;
  return later - own;
};
