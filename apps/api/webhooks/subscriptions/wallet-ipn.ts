import { defineWebhook } from '../../define-webhook.ts';

export default defineWebhook({
  name: 'wallet-ipn',
  gateway: 'wallet',
  event: 'ipn',
  spec: ['6'],
  summary: 'Payment notification of the wallet gateway.',
  verified: 'Sent back unchanged to the gateway, which confirms that it sent it',
});
