/** Problems of a subscription at the card gateway, step by step, with charges and consequences. */
import type { SimulatedCard } from '#tools/simulated-gateways/card.ts';
import { createCardLife } from '#tools/simulated-gateways/card-life.ts';
import { dayMs, euros, monthsAfter } from '#tools/simulated-gateways/life.ts';
import type { Body } from '../client.ts';
import { expectThat } from '../print.ts';
import { plans } from './life.ts';
import { signedCalls } from './signed.ts';
import type { Shown, Stage } from './stage.ts';

interface TroubleParts {
  card: SimulatedCard;
  url: string;
  /** Token of an administrator, who may refund. */
  admin: Stage;
}

const codeOf = (answer: Body): string => String((answer['error'] as Body | undefined)?.['code']);

export const playTrouble = async (stage: Stage, { card, url, admin }: TroubleParts): Promise<void> => {
  let gatewayTime = monthsAfter(new Date(Date.now() - dayMs / 2), -1);
  const life = createCardLife(card, () => gatewayTime);
  const reference = `TROUBLE${Date.now()}`;
  let steps = 0;
  let seen = 0;

  const post = async (messages = life.messages()): Promise<void> => {
    for (const { path, body } of messages) await stage.post(path, body);
  };
  const catchUp = async (): Promise<void> => {
    gatewayTime = await stage.next();
    life.advance(gatewayTime);
    await post();
  };
  const chargedNow = (): string => {
    const moved = life.taken.slice(seen);
    seen = life.taken.length;
    const words = moved.map(({ amountMinor }) => `${euros(amountMinor)} EUR`);
    return words.length === 0 ? 'nothing' : words.join(', ');
  };
  const tell = (what: string, now: Shown | null): void => {
    steps += 1;
    console.log(`${String(steps).padStart(2)}. ${what}`);
    const access = now?.dates.isActive ? `${now.title}, until ${now.dates.end}` : 'none';
    console.log(
      `      charged: ${chargedNow()}; access: ${access}; renewal: ${now?.autoRenew ? 'on' : 'off'}`,
    );
  };
  const becomes = (...[event, status, mail, renews]: Parameters<Stage['becomes']>) =>
    stage.becomes(event, status, mail, renews);

  console.log('\ntrouble (card)');
  life.buy({ reference, userId: stage.userId, productCode: plans.standard.code });
  stage.follow(reference);
  await post();
  await becomes('buy', 'EXPIRED', 'Your subscription is active');
  tell(`A month ago ${plans.standard.code} was bought.`, null);

  life.decline(reference, true);
  await catchUp();
  const pastDue = await becomes('declined', 'EXPIRED', 'A payment failed', true);
  expectThat(
    pastDue.actions.canCancel,
    'a subscription of which the card is tried again cannot be cancelled',
  );
  tell('The card was declined. The gateway tries it again for days, so the pilot can cancel.', pastDue);

  life.decline(reference, false);
  gatewayTime = await stage.next();
  life.retry(reference);
  // A licence message applied before its order has moved the end without a payment.
  const messages = life.messages();
  await post(messages.slice(0, 1));
  const paid = await becomes('paid late', 'ACTIVE', 'Your subscription was renewed', true);
  await post(messages.slice(1));
  tell('The next try of the card succeeds.', paid);

  card.refusals.set('cancelSubscription', 'The order is under review');
  const refused = await stage.change('cancel_subscription');
  const warning = String(refused['gateway_warning']);
  expectThat(warning.includes('refused'), `the refused cancel has the warning: ${warning}`);
  card.refusals.clear();
  const kept = await becomes('refused', 'ACTIVE', 'A change of your subscription was refused', true);
  tell(`The pilot cancels, and the gateway refuses. The answer says: ${warning}.`, kept);

  const up = await stage.change('change_plan', { target_pcode: plans.pro.code });
  await post();
  const upgraded = await becomes('upgrade', 'ACTIVE', null, true);
  const charge = life.taken.at(-1);
  const said = charge?.what === 'upgrade' ? `${euros(charge.amountMinor)} EUR are charged now` : 'no charge';
  expectThat(String(up['note']).includes(said), `the answer is "${String(up['note'])}", and ${said}`);
  tell(`Upgrade. The answer says: ${String(up['note'])}`, upgraded);

  const data = { subscription_id: upgraded.subscriptionId, amount: 2, reason: 'Two days without service' };
  const back = await signedCalls(url, admin.client).change('request_refund', data);
  expectThat(back['http'] === 200, `request_refund: ${JSON.stringify(back)}`);
  await post();
  const refunded = await becomes('partial refund', 'ACTIVE', null, true);
  expectThat(life.taken.at(-1)?.amountMinor === -200, 'the gateway has not given 2.00 EUR back');
  tell('An administrator gives 2.00 EUR back; the subscription goes on.', refunded);

  const down = await stage.change('change_plan', { target_pcode: plans.lite.code });
  await post();
  const downgraded = await becomes('downgrade', 'ACTIVE', null, true);
  expectThat(
    downgraded.dates.end > refunded.dates.end,
    'what remains does not last longer after the downgrade',
  );
  tell(`Downgrade. The answer says: ${String(down['note'])}`, downgraded);

  await card.setMode('down');
  const unheard = await stage.change('cancel_subscription');
  expectThat(
    unheard['gateway_warning'],
    'a cancel that the gateway does not have is answered without a warning',
  );
  const cancelled = await becomes('cancel', 'CANCELLED', 'Your subscription is cancelled', false);
  tell('The gateway is away. A cancel is accepted with a warning, and will be sent again.', cancelled);

  const { client, password } = stage;
  const { confirmationToken } = await client.call('deleteAccount', { password });
  const tooEarly = await client.attempt('deleteAccount', { confirmationToken });
  const isTooEarly = tooEarly['http'] === 409 && codeOf(tooEarly) === 'SUBSCRIPTION_RUNNING';
  expectThat(isTooEarly, `an account that can be charged was not kept: ${JSON.stringify(tooEarly)}`);
  tell('Deleting the account is refused: the gateway could still charge.', cancelled);

  await card.setMode('ok');
  const again = await stage.attempt('cancel_subscription');
  const isDone = again['http'] === 200 || codeOf(again) === 'INVALID_STATE';
  expectThat(isDone, `the second cancel: ${JSON.stringify(again)}`);
  expectThat(again['gateway_warning'] === undefined, 'the gateway is back and does not have the cancel');
  const deleted = await client.attempt('deleteAccount', { confirmationToken });
  expectThat(deleted['deleted'] === true, `deleteAccount: ${JSON.stringify(deleted)}`);
  tell('The gateway is back and confirms the cancel; the account is deleted.', null);

  life.advance(new Date(Date.now() + 400 * dayMs));
  expectThat(life.taken.length === seen, 'the gateway has charged after the account was deleted');
  tell('400 days pass at the gateway.', null);
};
