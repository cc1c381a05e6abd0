/** Calls of the signed subscription endpoint by a client without the safety code: the service signs for it (G-20). */
import { fetchAgain } from '../client.ts';
import type { Body, Client } from '../client.ts';

interface SignedCalls {
  /** A signed GET. */
  read: (action: string, data?: Body) => Promise<Body>;
  /** A signed and confirmed POST; the status of its answer is in `http`. */
  change: (action: string, data: Body) => Promise<Body>;
}

export const signedCalls = (url: string, client: Client): SignedCalls => {
  const headersFor = async (action: string): Promise<Record<string, string>> => {
    const signed = await client.call('subscriptionSignature', { action });
    return {
      'x-api-key': String(signed['apiKey']),
      'x-timestamp': String(signed['timestamp']),
      'x-signature': String(signed['signature']),
    };
  };
  const answerOf = async (response: Response): Promise<Body> => ({
    http: response.status,
    ...((await response.json()) as Body),
  });
  return {
    read: async (action, data = {}) => {
      const texts = Object.entries(data).map(([name, value]) => [name, String(value)]);
      const query = new URLSearchParams([['action', action], ...texts]);
      const headers = await headersFor(action);
      return answerOf(await fetchAgain(`${url}/subscription.php?${query}`, { headers }));
    },
    change: async (action, data) => {
      const subscriptionId = data['subscription_id'];
      const confirmed = await client.call('subscriptionConfirmation', { action, subscriptionId });
      const body = JSON.stringify({ ...data, confirmation_token: confirmed['confirmation_token'] });
      const headers = { 'content-type': 'application/json', ...(await headersFor(action)) };
      return answerOf(
        await fetchAgain(`${url}/subscription.php?action=${action}`, { method: 'POST', headers, body }),
      );
    },
  };
};
