import { createServer } from 'node:net';

/**
 * The port to listen on: the requested one, or a free one for 0. Throws an error with a plain sentence when it
 * is taken.
 */
export const usablePort = (host: string, wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const code = 'code' in error ? error.code : '';
      if (code === 'EADDRINUSE')
        reject(new Error(`PORT: ${wanted} is in use on ${host}: stop the other service or set PORT.`));
      else if (code === 'EACCES') reject(new Error(`PORT: this user is not allowed to listen on ${wanted}.`));
      else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        reject(new Error(`HOST: ${host} is not an address of this machine.`));
      else reject(error);
    });
    probe.listen(wanted, host, () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
