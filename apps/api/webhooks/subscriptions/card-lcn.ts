import { defineWebhook } from '../../define-webhook.ts';

export default defineWebhook({
  name: 'card-lcn',
  gateway: 'card',
  event: 'lcn',
  spec: ['6'],
  summary: 'Licence change notification of the card gateway.',
  verified: 'HMAC signature over the values of the form',
});
