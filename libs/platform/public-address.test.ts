import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import got from 'got';
import { expect, test } from 'vitest';
import { isPublicAddress, mayBePublic, publicLookup } from './public-address.ts';

test.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111', '2a00:1450:4001:80b::200e'])(
  'The address %s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test.each([
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '127.0.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '198.19.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001:db8::1',
  'fc00::1',
  'fe80::1',
  'ff02::1',
  'efb.example',
])('The address %s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

test.each([
  ['https://efb.example/hook', true],
  ['https://localhost/hook', false],
  ['https://db.internal/hook', false],
  ['https://127.1/hook', false],
  ['https://2130706433/hook', false],
  ['https://0x7f.1/hook', false],
  ['https://[::1]/hook', false],
  ['https://[::ffff:169.254.169.254]/hook', false],
  ['https://8.8.8.8/hook', true],
])('The host of %s may be public: %s', (url, isPublic) => expect(mayBePublic(new URL(url))).toBe(isPublic));

test('A name that does not exist fails like one that leads into the private network', async () => {
  const problem = (host: string) =>
    new Promise<string>((resolve) => {
      publicLookup(host, {}, (error) => resolve(`${error?.name}: ${error?.message.replace(host, 'it')}`));
    });
  expect(await problem('unknown.invalid')).toBe(await problem('localhost'));
});

test('A name that leads into the private network is not connected to', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const call = got(`http://localhost:${port}`, { dnsLookup: publicLookup as never, retry: { limit: 0 } });
  await expect(call).rejects.toThrow('localhost has no public address');
  server.close();
});
