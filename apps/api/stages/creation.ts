/** Queries that create something run once for each `clientId`: a repeat is answered from the row of the first call. */
import { clientIdRepo, clientIdWrites } from '#data/postgres/requests/client-ids.ts';
import type { Creation } from '#data/postgres/requests/client-ids.ts';
import type { Call } from '../call.ts';
import { isRecord } from '../call.ts';
import { commonError } from '../errors.ts';
import type { AnyContext } from '../handler-context.ts';
import type { Registered } from '../registry.ts';

/** Null: the call creates nothing, or its client has given no id. Visitors share an account, so an id of one could meet the row of another. */
export const creationOf = ({ creates }: Registered, { data, caller, claims }: Call): Creation | null => {
  if (!creates || !isRecord(data) || caller === null || claims?.isGuest === true) return null;
  const { clientId } = data;
  if (typeof clientId !== 'string') return null;
  const named = [...creates.edits, 'expectedVersion'].find((field) => Boolean(data[field]));
  if (named !== undefined)
    throw commonError('INVALID_INPUT', {
      details: [`clientId: is for what is new, and cannot be sent together with ${named}`],
    });
  return { userId: caller.userId, kind: creates.kind, clientId };
};

/** Only here, past stored answers: what they have stored takes the room of a repeat. */
const handled = (operation: Registered, { file, room }: Call, ctx: AnyContext): Promise<unknown> => {
  if (file && room && file.bytes > room.bytes) throw room.tooSmall(file.bytes);
  return operation.handler(ctx);
};

/** The answer of the handler, or that of what an earlier call with this id created. */
export const answerOf = async (operation: Registered, call: Call, ctx: AnyContext): Promise<unknown> => {
  const creation = creationOf(operation, call);
  if (!creation || !operation.creates) return handled(operation, call, ctx);
  const found = await clientIdRepo(ctx.db).find(creation);
  if (!found)
    return handled(operation, call, {
      ...ctx,
      created: (tx, rowId) => clientIdWrites(tx).keep(creation, String(rowId)),
    });
  const again = found.isGone ? null : await operation.creates.again({ ...ctx, rowId: found.rowId });
  if (!isRecord(again)) throw commonError('DELETED_SINCE');
  return { ...again, already: true };
};
