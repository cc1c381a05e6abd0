import { defineWebhook } from '../../define-webhook.ts';

export default defineWebhook({
  name: 'store-notifications',
  gateway: 'store',
  event: 'notifications',
  spec: ['6'],
  summary: 'Server notification of the app store, version 2.',
  verified: 'JWS signature with a certificate chain to a root of the app store',
});
