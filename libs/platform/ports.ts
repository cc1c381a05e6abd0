import { createServer } from 'node:net';
import { codeOf } from '#domain/errors.ts';
import { OperatorError } from './errors.ts';

const sentenceOf = (code: string, host: string, port: number): string | undefined => {
  if (code === 'EADDRINUSE') return `PORT: ${port} is in use on ${host}: stop the other service or set PORT.`;
  if (code === 'EACCES') return `PORT: this user is not allowed to listen on ${port}.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST: ${host} is not an address of this machine.`;
  return undefined;
};

/**
 * The port to listen on: the requested one, or a free one for 0. Throws an error in plain words if it is not available.
 */
export const usablePort = (host: string, wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const sentence = sentenceOf(codeOf(error), host, wanted);
      reject(sentence === undefined ? error : new OperatorError(sentence));
    });
    probe.listen(wanted, host, () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
