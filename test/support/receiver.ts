import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedMessage {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver {
  url: string;
  /** In order of arrival. */
  messages: ReceivedMessage[];
  close: () => Promise<void>;
}

/** A local webhook receiver; `answer` ends the response. */
export const startReceiver = async (
  answer: (response: ServerResponse, message: ReceivedMessage) => void,
): Promise<Receiver> => {
  const messages: ReceivedMessage[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const message = { path: request.url ?? '', headers: request.headers, body: await text(request) };
      messages.push(message);
      answer(response, message);
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    messages,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
