/** A signed action: a query with a signature, and a confirmation where it changes something. */
import type { z } from 'zod';
import { defineOperation } from './define.ts';
import type { Declaration, NoErrors, NoInput, Operation } from './define.ts';
import type { TxKind } from './handler-context.ts';
import type { ErrorTable } from './errors.ts';
import { stateChangeLimit } from './limits.ts';

export const signedPath = '/subscription.php';

type Preset = 'auth' | 'devKey' | 'dialect' | 'inputFrom' | 'limits';

interface ActionDeclaration<
  E extends ErrorTable,
  T extends TxKind,
  I extends z.ZodType,
  O extends z.ZodType,
> extends Omit<Declaration<'signed', E, T, I, O, undefined>, Preset> {
  /**
   * True: POST with its input in the body and a confirmation token, and counts towards the 5 changes an hour. False: GET
   * with its input in the URL.
   */
  changesState: T extends 'read' ? boolean : true;
}

export const defineAction = <
  O extends z.ZodType,
  const E extends ErrorTable = NoErrors,
  const T extends TxKind = 'read',
  I extends z.ZodType = NoInput,
>({
  changesState,
  ...declaration
}: ActionDeclaration<E, T, I, O>): Operation =>
  defineOperation('action', { changesState, method: changesState ? 'POST' : 'GET', inputFrom: 'body' })<
    O,
    E,
    T,
    I,
    'signed'
  >({
    ...declaration,
    auth: 'signed',
    limits: changesState ? [stateChangeLimit] : [],
  } as Declaration<'signed', E, T, I, O, undefined>);
