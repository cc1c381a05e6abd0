import { createServer } from 'node:net';

/**
 * The port to listen on: the requested one, or a free one for 0. Throws an error with a plain sentence when it
 * is taken; the names of the variables are for that sentence.
 */
export const usablePort = (
  host: string,
  wanted: number,
  [hostName, portName]: readonly [string, string] = ['HOST', 'PORT'],
): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      const code = 'code' in error ? error.code : '';
      if (code === 'EADDRINUSE')
        reject(
          new Error(
            `${portName}: ${wanted} is in use on ${host}: stop the other service or set ${portName}.`,
          ),
        );
      else if (code === 'EACCES')
        reject(new Error(`${portName}: this user is not allowed to listen on ${wanted}.`));
      else if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
        reject(new Error(`${hostName}: ${host} is not an address of this machine.`));
      else reject(error);
    });
    probe.listen(wanted, host, () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no free port')),
      );
    });
  });
