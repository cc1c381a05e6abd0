/** A checklist that is offered to the community. */
export interface Offer {
  /** Null for an airline. */
  userId: number | null;
  sharedAt: Date;
}

/** Number of checklists that others have offered after a time; the offers are in order, the latest first. */
export const newInCommunity = (offers: readonly Offer[], userId: number, since: Date): number => {
  const older = offers.findIndex(({ sharedAt }) => sharedAt <= since);
  const later = older === -1 ? offers : offers.slice(0, older);
  return later.filter((offer) => offer.userId !== userId).length;
};
