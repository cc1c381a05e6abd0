/** Begins a transaction, in one message with the user for whom it runs, whom `acting_user` of the migrations reads. */
export const beginText = (actor: { userId: number } | undefined): string =>
  actor ? `BEGIN; SET LOCAL app.actor = ${Math.trunc(actor.userId)}` : 'BEGIN';
