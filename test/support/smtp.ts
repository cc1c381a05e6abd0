import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/**
 * What the server does after the complete message: answers with a line, at once or when `release` is called, then
 * possibly cuts the connection; or never answers.
 */
export type Reaction =
  | { answer: string; isHeld?: boolean; cut?: boolean }
  /** Reads the message and remains silent. */
  | 'silent'
  /** Closes the connection without an answer. */
  | 'cut';

export interface FakeSmtp {
  url: string;
  /** Message-IDs in the order of complete messages. */
  received: string[];
  /** Sends the delayed answers. */
  release: () => void;
  close: () => Promise<void>;
}

interface Shared {
  received: string[];
  held: (() => void)[];
  reactionTo: (n: number) => Reaction;
}

const react = (socket: Socket, reaction: Reaction, held: (() => void)[]) => {
  if (reaction === 'silent') return;
  if (reaction === 'cut') {
    socket.destroy();
    return;
  }
  const answer = () => {
    if (reaction.cut === true) socket.end(`${reaction.answer}\r\n`);
    else socket.write(`${reaction.answer}\r\n`);
  };
  if (reaction.isHeld === true) held.push(answer);
  else answer();
};

const converse = (socket: Socket, { received, held, reactionTo }: Shared) => {
  let text = '';
  let isData = false;
  const onMessage = (message: string) => {
    isData = false;
    received.push(/^message-id: (.+)$/im.exec(message)?.[1]?.trim() ?? '');
    react(socket, reactionTo(received.length), held);
  };
  const onCommand = (line: string) => {
    const verb = line.slice(0, 4).toUpperCase();
    isData = verb === 'DATA';
    if (verb === 'QUIT') socket.end('221 bye\r\n');
    else socket.write(isData ? '354 go ahead\r\n' : '250 ok\r\n');
  };
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    text += chunk;
    for (;;) {
      const end = isData ? '\r\n.\r\n' : '\r\n';
      const at = text.indexOf(end);
      if (at === -1) return;
      const part = text.slice(0, at);
      text = text.slice(at + end.length);
      if (isData) onMessage(part);
      else onCommand(part);
    }
  });
  socket.write('220 fake\r\n');
};

/** A mail server on a free port; `reactionTo` gets the message's number, from 1. */
export const startSmtp = async (reactionTo: (n: number) => Reaction): Promise<FakeSmtp> => {
  const shared: Shared = { received: [], held: [], reactionTo };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    converse(socket, shared);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    received: shared.received,
    release: () => {
      for (const answer of shared.held.splice(0)) answer();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
};
