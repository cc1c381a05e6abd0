import { isPauseOver } from '#domain/subscriptions/agreement.ts';
import { kindOfGateway } from '#domain/subscriptions/gateway.ts';
import type { Tx } from '#store/postgres/sql.ts';
import { subscriptionRecordWrites } from '#store/postgres/subscriptions/records.ts';
import { orderFromGateway } from './change.ts';
import { settle } from './settle.ts';
import type { SettleDeps } from './settle.ts';

/** Applies changes due by time: access that begins or ends, and a pause that is over, which the wallet does not end by itself. */
export const followTime = async (tx: Tx, deps: SettleDeps, { id }: { id: number }): Promise<void> => {
  const before = await subscriptionRecordWrites(tx).lock(id);
  if (!before) return;
  const isOver = isPauseOver(before, deps.clock.now());
  if (isOver && kindOfGateway(before.gateway) === 'wallet')
    await orderFromGateway(tx, deps, { subscriptionId: id, verb: 'resume', parameters: {}, isInline: false });
  const entry = { at: deps.clock.now(), source: 'sync', what: 'The pause is over.' } as const;
  await settle(tx, deps, { before, entry: isOver ? entry : null });
};
