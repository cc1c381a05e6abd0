/** Rules that must hold once everything has arrived and was retried. */
import { canStillBeCharged } from '#domain/subscriptions/agreement.ts';
import { givesAccess } from '#domain/subscriptions/entitlement.ts';
import { gatewayCodes } from '#domain/subscriptions/gateway.ts';
import type { SubscriptionRecord } from '#domain/subscriptions/record.ts';
import { gatewayEventRepo } from '#store/postgres/subscriptions/gateway-events.ts';
import { accountDeletedMail } from '#domain/users/mails.ts';
import { ledgerRepo } from '#store/postgres/subscriptions/ledger.ts';
import { dayMs, euros, monthsAfter } from '#tools/simulated-gateways/life.ts';
import type { SentMessage, Taken } from '#tools/simulated-gateways/life.ts';
import { action as cancelAction } from '#api/queries/subscriptions/cancelSubscription.ts';
import getSubscriptionDetails from '#api/queries/subscriptions/getSubscriptionDetails.ts';
import { isAbout } from './play.ts';
import type { Play } from './play.ts';
import { must } from './watch.ts';
import { dailyMinor } from './worth.ts';

const gatewayOf = ({ gateway }: SubscriptionRecord) => (gateway === gatewayCodes.card ? 'card' : 'wallet');

/** The gateways answer again, pending messages arrive, and two nights pass. */
const settle = async (play: Play): Promise<void> => {
  for (const at of ['card', 'wallet'] as const) await play.step({ do: 'gateway is', at, mode: 'ok' });
  await play.deliverAll();
  await play.pass(25);
  await play.pass(25);
  // Orders refused to a disabled account are retried after a week.
  if (play.state === 'disabled') await play.pass(24 * 8);
  play.unknown.clear();
  await play.observe();
};

const returnedOf = (world: Play['world'], number: string): number =>
  world
    .taken()
    .filter((one) => one.what === 'refund' && one.number === number)
    .reduce((sum, { amountMinor }) => sum - amountMinor, 0);

/** The payment was fully refunded. */
const isReturned = (world: Play['world'], { number, amountMinor }: Taken): boolean =>
  returnedOf(world, number) >= amountMinor;

/** How both gateways name a payment and a refund. */
const isPayment = ({ body }: SentMessage): boolean =>
  /ORDERSTATUS=COMPLETE|payment_status=Completed/.test(body);
const isRefunded = ({ body }: SentMessage): boolean =>
  /ORDERSTATUS=REFUND|payment_status=(?:Partially_)?Refunded/.test(body);

/** The ledger contains every charge once, and every partial refund. */
const sameMoney = async (play: Play, records: readonly SubscriptionRecord[]): Promise<void> => {
  const { world, bought, lost, received, orphans } = play;
  for (const { at, reference } of bought) {
    const record = records.find((one) => one.reference === reference);
    // The wallet has no list: a profile whose payment messages were all lost stays unknown.
    const isReported = received.some((one) => isAbout(one, reference) && isPayment(one));
    if (!record && !isReported && at === 'wallet') {
      orphans.set(reference, received.length);
      continue;
    }
    must(record !== undefined, `${reference}: was paid, and there is no subscription`);
    const entries = await ledgerRepo(world.db).of(record?.id ?? 0);
    const here = entries
      .filter(({ kind, status }) => kind === 'payment' && status !== 'FAILED' && status !== 'PENDING')
      .map(({ transactionId, amountMinor, status }) => {
        const isWhole = status === 'REFUNDED' || status === 'REVERSED';
        return `${transactionId} ${euros(amountMinor)}${isWhole ? ' back' : ''}`;
      });
    const moved = world.taken().filter((one) => one.reference === reference);
    const there = moved
      .filter(({ what }) => what !== 'refund')
      .map(({ number, amountMinor }) => {
        const isWhole = returnedOf(world, number) >= amountMinor;
        return `${number} ${euros(amountMinor)}${isWhole ? ' back' : ''}`;
      });
    must(
      here.toSorted().join() === there.toSorted().join(),
      `${reference}: the gateway took ${there.join(', ')}, and the ledger has ${here.join(', ') || 'nothing'}`,
    );
    // A partial refund whose message was lost is in no list of the gateways.
    const isKnown = ({ number }: Taken) => !lost.some((one) => isAbout(one, number) && isRefunded(one));
    for (const payment of moved.filter((one) => one.what !== 'refund' && isKnown(one))) {
      const parts = entries.filter((one) => one.kind === 'refund' && one.ofTransactionId === payment.number);
      const known = parts.reduce((sum, { amountMinor }) => sum - amountMinor, 0);
      must(
        known === returnedOf(world, payment.number),
        `${reference}: ${euros(known)} EUR of ${payment.number} were given back here, ${euros(returnedOf(world, payment.number))} there`,
      );
    }
  }
};

/** A renewing customer has access until the next charge, and sees its date. */
const sameEnd = (play: Play, record: SubscriptionRecord): void => {
  const { lives, card, wallet, now } = play.world;
  const at = gatewayOf(record);
  const reference = record.reference ?? '';
  // After a pause or a failed payment the wallet charges later, leaving an unpaid gap.
  const paid = lives[at].taken.findLast((one) => one.reference === reference && one.what !== 'refund');
  const cutAt = play.cut.get(reference);
  if (!lives[at].charges(reference) || (cutAt && (!paid || paid.at <= cutAt))) return;
  const licence = card.licences.get(reference);
  const profile = wallet.profiles.get(reference);
  const isPaused = at === 'card' ? licence?.resumeAt !== null : profile?.status !== 'Active';
  const next = at === 'card' ? licence?.endsAt : profile?.nextBillingAt;
  if (isPaused || !next || next <= now()) return;
  const months = record.product.frequency === 'yearly' ? 12 : 1;
  const until = at === 'wallet' && paid ? monthsAfter(paid.at, months) : next;
  const end = until < next ? until : next;
  // The wallet charges on its own days, whatever was added here.
  const added = at === 'wallet' ? play.granted.filter(({ id }) => id === record.id) : [];
  const latest = added.reduce(
    (last, { at: addedAt, days }) => Math.max(last, addedAt.getTime()) + days * dayMs,
    end.getTime(),
  );
  const hours = (a: Date | number) => (record.endsAt.getTime() - Number(a)) / 3_600_000;
  must(
    hours(end) >= -26 && hours(latest) <= 26,
    `${reference}: paid until ${record.endsAt.toISOString()} here, by what was charged until ${end.toISOString()}`,
  );
};

/**
 * Past and remaining access cost no more than was paid, within two days. Of a full refund, only the used part remains;
 * a partial refund lowers the credit, not the access. If no message was late and no access ended, the value is no less
 * either, within the days of the shortest month.
 */
const sameValue = (play: Play, records: readonly SubscriptionRecord[]): void => {
  const { world, used, gifts } = play;
  const left = records
    .filter((record) => givesAccess(record, world.now()))
    .map((record) => ((record.endsAt.getTime() - world.now().getTime()) / dayMs) * dailyMinor(record))
    .reduce((sum, value) => sum + value, 0);
  const given = [...used.values()].reduce((sum, value) => sum + value, 0) + left;
  const payments = world.taken().filter(({ what }) => what !== 'refund');
  const total = (list: readonly Taken[]) => list.reduce((sum, one) => sum + one.amountMinor, 0);
  const kept = (record: SubscriptionRecord): number => {
    const own = payments.filter(({ reference }) => reference === record.reference);
    const returned = total(own.filter((one) => isReturned(world, one)));
    return total(own) - returned + Math.min(returned, used.get(record.id) ?? 0);
  };
  const paid = records.reduce((sum, record) => sum + kept(record), 0);
  const dearest = Math.max(0, ...records.map(dailyMinor), 34);
  must(
    given <= paid + gifts + 2 * dearest,
    `access worth ${euros(given)} EUR was given for ${euros(paid)} EUR (and gifts of ${euros(gifts)})`,
  );
  if (!play.isPunctual || play.isShort) return;
  const net = total(world.taken());
  must(
    given * (31 / 28) >= net - 2 * dearest,
    `access worth ${euros(given)} EUR was given, and ${euros(net)} EUR were paid`,
  );
};

/** Each purchase, renewal and refund is mailed once with the amount; all of them if every message came at once. */
const sameMails = ({ world, mails, isPunctual }: Play): void => {
  const paid = mails.flatMap(({ text }) => /\nPaid: (\d+\.\d\d) EUR/.exec(text)?.[1] ?? []);
  const back = mails.filter(({ subject }) => subject.includes('refunded'));
  const [payments, refunds] = [false, true].map((isRefund) =>
    world.taken().filter(({ what }) => what !== 'upgrade' && (what === 'refund') === isRefund),
  ) as [Taken[], Taken[]];
  const [there, here] = [refunds.length, back.length];
  must(isPunctual ? here === there : here <= there, `${there} refunds, and ${here} mails about one`);
  const left = payments.map(({ amountMinor }) => euros(amountMinor));
  for (const amount of paid) {
    must(left.includes(amount), `${amount} EUR was paid by a mail, and was not charged`);
    left.splice(left.indexOf(amount), 1);
  }
  must(!isPunctual || left.length === 0, `nothing was mailed about payments of ${left.join(', ')} EUR`);
};

/** One call stops further charges. */
const canStop = async (play: Play, records: readonly SubscriptionRecord[]): Promise<void> => {
  const { world, userId, state } = play;
  for (const record of records) {
    const { id, reference } = record;
    if (!world.charges(record)) continue;
    must(canStillBeCharged(record), `${reference}: the gateway will charge, and here nothing says so`);
    must(state === 'active', `${reference}: the account is disabled, and the gateway will charge`);
    const { body } = await world.call(getSubscriptionDetails, { subscriptionId: id }, userId);
    const details = body['subscription'] as { actions: { canCancel: boolean } } | undefined;
    must(
      details?.actions.canCancel === true,
      `${reference}: the gateway will charge, and ${details ? 'canCancel is false' : 'it is not shown'}`,
    );
    const answer = await world.call(cancelAction, { subscription_id: id }, userId);
    must(answer.code === null, `${reference}: the cancel was answered ${answer.code}`);
    must(
      answer.body['gateway_warning'] === undefined && !world.charges(record),
      `${reference}: one cancel did not stop the gateway: ${JSON.stringify(answer.body)}`,
    );
  }
};

/** A payment for a deleted account waits for an operator. */
const parked = async ({ world, bought, orphans, received }: Play): Promise<void> => {
  for (const { at, reference } of bought) {
    const later = received.slice(orphans.get(reference) ?? received.length);
    if (!later.some((one) => isAbout(one, reference) && isPayment(one))) continue;
    const waiting = await gatewayEventRepo(world.db).parkedOf(gatewayCodes[at], reference);
    must(waiting.length > 0, `${reference}: was paid after the account was deleted, and no message waits`);
  }
};

export const check = async (play: Play): Promise<void> => {
  await settle(play);
  const { world, userId } = play;
  if (play.state !== 'deleted') {
    const records = await world.records().ofUser(userId);
    await sameMoney(play, records);
    for (const record of records) sameEnd(play, record);
    sameValue(play, records);
    sameMails(play);
    await canStop(play, records);
  } else {
    const told = play.mails.filter(({ subject }) => subject === accountDeletedMail.subject);
    must(told.length === 1, `${told.length} mails about the deletion of the account`);
    await parked(play);
  }
  // Whatever happens at the gateways afterwards, nothing is charged.
  const before = new Set(world.taken());
  const later = new Date(world.now().getTime() + 500 * dayMs);
  for (const at of ['card', 'wallet'] as const) world.lives[at].advance(later);
  const charged = world
    .taken()
    .filter((one) => !before.has(one))
    .map(({ reference }) => reference);
  const wrong = charged.filter((reference) => !play.orphans.has(reference));
  must(wrong.length === 0, `${wrong.join(', ')}: charged after the end`);
};
