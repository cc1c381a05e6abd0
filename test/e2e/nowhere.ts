import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { variables } from '#platform/config/variables.ts';

/** Variables with every source at an address where nothing listens. */
export const nowhere = async (): Promise<Record<string, string>> => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  const names = Object.keys(variables).filter(
    (name) => /_URLS?$/.test(name) && /METAR|TAF|IVAO|VATSIM|AIRPORTS|WINDS|OVERPASS|OBSTACLES/.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, `http://127.0.0.1:${port}/x`]));
};
