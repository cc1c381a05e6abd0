/** Licence change notifications of the card gateway. */
import { InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { MessageReader } from '#domain/subscriptions/gateway.ts';
import type { NoticeSet } from '#domain/subscriptions/notice.ts';
import { parseCardForm, valueAt } from '../forms.ts';
import type { CardForm } from '../forms.ts';
import { receiptOf, timeAt, verifiedForm, zoneOf } from './ipn.ts';
import type { CardSettings } from './settings.ts';
import { accountEnd } from './times.ts';

/** A licence due for renewal stays active until its end: only decisions by the customer or vendor change its status. */
const statusOf = (form: CardForm): NoticeSet => {
  const status = (valueAt(form, 'STATUS') ?? '').toUpperCase();
  const reason = (valueAt(form, 'DISPATCH_REASON') ?? '').toUpperCase();
  const isOff = valueAt(form, 'DISABLED') === '1' || status === 'DISABLED';
  if (isOff || reason === 'SCHEDULED_FOR_CANCELATION_ON_DEMAND')
    return { intent: 'Cancelled', autoRenew: false };
  if (status === 'EXPIRED' || valueAt(form, 'EXPIRED') === '1') return { isLapsed: true };
  if (reason === 'REVERT_CANCELATION_ON_DEMAND') return { intent: 'Running', isLapsed: false };
  return status === 'ACTIVE' || status === 'PAST DUE' ? { isLapsed: false } : {};
};

const fieldsOf = (form: CardForm, settings: CardSettings): NoticeSet => {
  const recurring = valueAt(form, 'RECURRING');
  return {
    ...accountEnd(valueAt(form, 'EXPIRATION_DATE'), zoneOf(form, settings)),
    autoRenew: recurring === null ? undefined : recurring === '1',
    subscriberEmail: valueAt(form, 'EMAIL') ?? undefined,
    ...statusOf(form),
  };
};

export const lcnReader = (settings: CardSettings): MessageReader => ({
  verify: async (body, now) => {
    const { form, digest } = verifiedForm(body, settings);
    const reference = valueAt(form, 'LICENSE_CODE');
    if (reference === null) throw new InvalidSignatureError('it names no licence');
    const occurredAt = timeAt(form, settings, 'DATE_UPDATED') ?? now;
    return { eventId: `${reference} ${digest.slice(0, 32)}`, occurredAt, reference };
  },
  receipt: receiptOf(settings, ['LICENSE_CODE', 'EXPIRATION_DATE']),
  notices: async (body, now) => {
    const form = parseCardForm(body);
    const reference = valueAt(form, 'LICENSE_CODE');
    if (reference === null || (valueAt(form, 'TEST') === '1' && !settings.acceptsTests)) return [];
    const reason = valueAt(form, 'DISPATCH_REASON') ?? valueAt(form, 'STATUS') ?? 'changed';
    return [
      {
        reference,
        occurredAt: timeAt(form, settings, 'DATE_UPDATED') ?? now,
        what: `Licence: ${reason}.`,
        set: fieldsOf(form, settings),
        payments: [],
      },
    ];
  },
});
