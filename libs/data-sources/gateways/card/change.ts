import { z } from 'zod';
import { GatewayError, isUnshown } from '#domain/subscriptions/gateway.ts';
import type { CallOptions, GatewayChange } from '#domain/subscriptions/gateway.ts';
import { amountText } from '#domain/subscriptions/money.ts';
import { daySeconds } from '#domain/time.ts';
import { endOf, readPause, readSubscription } from './read.ts';
import type { CardSubscription } from './read.ts';
import { rest } from './rest.ts';
import type { CardParts } from './rest.ts';
import { rpc } from './rpc.ts';
import { inAccountTime } from './times.ts';

interface Call extends CardParts {
  change: GatewayChange;
  options: CallOptions;
}

/** Throws while read calls may not show yet what an earlier attempt has done: repeating it could charge twice. */
const assertShown = ({ change: { sentAt = null }, clock }: Call): void => {
  if (isUnshown(sentAt, clock.now()))
    throw new GatewayError(
      'unavailable',
      'The card gateway may not show yet what an earlier attempt has done.',
    );
};

/** An earlier end can only be set by writing the whole subscription back, and read calls lag minutes behind changes. */
const shorten = async (
  call: Call,
  found: CardSubscription,
  endsAt: Date,
  { isEnabled, isRenewed }: NonNullable<GatewayChange['held']>,
): Promise<void> => {
  const { change, options, settings } = call;
  if (found.Product?.ProductCode !== change.targetCode)
    throw new GatewayError('unavailable', 'The card gateway does not show the change of the plan yet.');
  const whole = {
    ...found,
    ExpirationDate: inAccountTime(endsAt, settings.timeZone),
    SubscriptionEnabled: found.SubscriptionEnabled === true && isEnabled,
    RecurringEnabled: found.RecurringEnabled === true && isRenewed,
  };
  await rpc(call, 'updateSubscription', [whole], options);
};

/** Extends the end by whole days. An end already reached stays, so a repetition adds nothing. */
const extend = async (call: Call): Promise<void> => {
  const { change, options } = call;
  const found = await readSubscription(call, change.reference, options);
  // Read calls lag minutes behind a purchase. Throws so that the job retries; otherwise the days would be lost.
  if (!found) throw new GatewayError('unavailable', 'The card gateway does not show the subscription yet.');
  const reached = endOf(call, found);
  if (!reached || !change.endsAt) return;
  const missing = (change.endsAt.getTime() - reached.endsAt.getTime()) / 1_000 / daySeconds;
  if (change.held && missing <= -1) {
    await shorten(call, found, change.endsAt, change.held);
    return;
  }
  // An end given as a day includes all times of that day.
  const days = reached.isEndDay ? Math.ceil(missing) : Math.round(missing);
  if (days <= 0) return;
  assertShown(call);
  const path = `/subscriptions/${encodeURIComponent(change.reference)}/history/`;
  await rest(call, z.unknown(), { method: 'PUT', path, query: { Days: String(days) } }, options);
};

/** Reads the plan first, because a change already charged must not be charged again. */
const changePlan = async (call: Call): Promise<void> => {
  const { change, options } = call;
  const found = await readSubscription(call, change.reference, options);
  if (!found) throw new GatewayError('refused', 'The card gateway does not know the subscription.');
  const isChanged = found.Product?.ProductCode === change.targetCode;
  if (!isChanged) {
    assertShown(call);
    const { reference, targetCode, chargeMinor, currency = 'EUR' } = change;
    // Without a price the gateway prorates even a cheaper plan by its own rules. It requires the price as text.
    const price = chargeMinor === undefined ? null : amountText(chargeMinor, currency);
    await rpc(call, 'setSubscriptionUpgrade', [reference, targetCode, '', price], options);
  }
  if (!change.endsAt) return;
  try {
    await extend(call);
  } catch (error) {
    // The plan was changed, even if its end was not.
    if (!isChanged && error instanceof GatewayError && error.outcome === 'unavailable')
      throw new GatewayError('unknown', error.message, { cause: error });
    throw error;
  }
};

const isReached = async (call: Call): Promise<boolean> => {
  const { change, options } = call;
  const { verb, reference } = change;
  if (verb === 'resume') return (await readPause(call, reference, options)) === null;
  const found = await readSubscription(call, reference, options);
  if (verb === 'cancel') return found?.SubscriptionEnabled === false;
  if (verb === 'renewalOn') return found?.RecurringEnabled === true;
  if (verb === 'renewalOff') return found?.RecurringEnabled === false;
  return false;
};

const methods = {
  resume: 'cancelRenewalPause',
  cancel: 'cancelSubscription',
  renewalOn: 'enableRecurringBilling',
  renewalOff: 'disableRecurringBilling',
} as const;

/** Longest pause reason that the gateway accepts. */
const maxReason = 100;

/** Carries out one change. Throws `GatewayError`. */
export const changeAtCard = async (call: Call): Promise<void> => {
  const { change, options, settings } = call;
  const { verb, reference, resumeAt, reason = 'Requested by the customer' } = change;
  if (verb === 'extend') return extend(call);
  if (verb === 'changePlan') return changePlan(call);
  if (verb === 'pause') {
    if (!resumeAt) throw new GatewayError('refused', 'A pause at the card gateway needs a date to resume.');
    const at = inAccountTime(resumeAt, settings.timeZone);
    await rpc(call, 'setRenewalPause', [reference, at, reason.slice(0, maxReason)], options);
    return;
  }
  try {
    await rpc(call, methods[verb], [reference], options);
  } catch (error) {
    // The gateway refuses a change already done.
    if (!(error instanceof GatewayError) || error.outcome !== 'refused' || !(await isReached(call)))
      throw error;
  }
};
