/** Wallet gateway notifications: the gateway itself confirms that it sent the body. */
import { createHash } from 'node:crypto';
import { GatewayError, InvalidSignatureError } from '#domain/subscriptions/gateway.ts';
import type { MessageReader } from '#domain/subscriptions/gateway.ts';
import type { Http } from '#platform/http.ts';
import { callError } from '../calls.ts';
import { fieldOf, parseWalletForm } from '../forms.ts';
import type { WalletForm } from '../forms.ts';
import { noticesOf, occurredAt, referenceOf } from './notices.ts';
import type { NvpParts } from './nvp.ts';
import type { WalletSettings } from './settings.ts';

interface IpnParts {
  settings: WalletSettings;
  http: Http;
  /** Null without credentials of the legacy interface. */
  nvp: NvpParts | null;
}

/** Forms are ASCII: other bytes or broken escapes are rejected without asking the gateway. */
const assertEncoded = (body: Buffer): void => {
  const text = body.toString('latin1');
  if (!/^[\x21-\x7e]+$/.test(text) || /%(?!u[\da-f]{4}|[\da-f]{2})/i.test(text))
    throw new InvalidSignatureError('it is not an encoded form');
};

/** Rejects payments to other receivers, even genuine ones. */
const assertReceiver = (form: WalletForm, { receiverEmail }: WalletSettings): void => {
  const receivers = ['receiver_email', 'business'].map((name) => fieldOf(form, name)?.toLowerCase());
  if (!receivers.includes(receiverEmail)) throw new InvalidSignatureError('it is for another receiver');
};

/** Sends the body back unchanged. Throws `InvalidSignatureError` if the gateway did not send it. */
const confirm = async ({ settings, http }: IpnParts, body: Buffer): Promise<void> => {
  let answer;
  try {
    answer = await http.post(settings.verifyUrl, {
      body: Buffer.concat([Buffer.from('cmd=_notify-validate&'), body]),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      timeout: { request: settings.verifyTimeoutMs },
    });
  } catch (error) {
    throw callError(error, 'wallet');
  }
  const words = answer.statusCode === 200 ? answer.body.trim() : '';
  if (words === 'VERIFIED') return;
  if (words === 'INVALID') throw new InvalidSignatureError('the gateway did not send it');
  throw new GatewayError('unknown', 'The wallet gateway neither confirmed nor denied a message.');
};

/** A payment has one report per status; other messages have no id. Repeated copies are marked as such. */
const eventIdOf = (form: WalletForm): string => {
  const transaction = fieldOf(form, 'txn_id');
  if (transaction !== null) {
    const parts = [transaction, fieldOf(form, 'payment_status') ?? fieldOf(form, 'txn_type') ?? 'none'];
    return [...parts, fieldOf(form, 'case_id')].filter(Boolean).join(' ');
  }
  const signed = [...form].filter(([name]) => name !== 'resend');
  return createHash('sha256').update(JSON.stringify(signed)).digest('hex');
};

export const ipnReader = (parts: IpnParts): MessageReader => ({
  verify: async (body, now) => {
    assertEncoded(body);
    const form = parseWalletForm(body);
    assertReceiver(form, parts.settings);
    await confirm(parts, body);
    return { eventId: eventIdOf(form), occurredAt: occurredAt(form) ?? now, reference: referenceOf(form) };
  },
  notices: async (body, now) => {
    const form = parseWalletForm(body);
    if (fieldOf(form, 'test_ipn') === '1' && !parts.settings.acceptsTests) return [];
    return noticesOf(form, parts.nvp, now);
  },
});
