import { defineWebhook } from '../../define-webhook.ts';

export default defineWebhook({
  name: 'card-ipn',
  gateway: 'card',
  event: 'ipn',
  spec: ['6'],
  summary: 'Payment notification of the card gateway.',
  verified: 'HMAC signature over the values of the form',
});
