import { defineWebhook } from '../../define-webhook.ts';

export default defineWebhook({
  name: 'store-mobile',
  gateway: 'store',
  event: 'mobile',
  spec: ['6'],
  summary: 'Report of an app about a purchase: `{transactionId}`.',
  verified: 'Nothing: the service asks the app store about the transaction',
  maxBodyBytes: 4_096,
});
