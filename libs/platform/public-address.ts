/**
 * Tells addresses on the public Internet from others, so that addresses supplied by users cannot lead into the
 * operator's network.
 */
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** IANA's special-purpose registries (RFC 6890), multicast, and IPv4 addresses embedded in IPv6. */
const special: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.0.2.0', 24, 'ipv4'],
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  ['::', 3, 'ipv6'],
  ['4000::', 2, 'ipv6'],
  ['8000::', 1, 'ipv6'],
  ['2001::', 23, 'ipv6'],
  ['2001:db8::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['3fff::', 20, 'ipv6'],
];

// One list for both families would match any IPv4 address against the IPv6 network that maps IPv4.
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix, family] of special) blocked[family].addSubnet(network, prefix, family);

export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return version !== 0 && !blocked[family].check(address, family);
};

/** False for a host that is a non-public address; names are checked by `publicLookup`. */
export const mayBePublic = (url: URL): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 ? isPublicAddress(host) : !/(?:^|\.)(?:localhost|local|internal)\.?$/i.test(host);
};

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * `dns.lookup` for an agent; fails with PrivateAddressError for a name without a public address. The connection uses
 * the checked address, so the name cannot be rebound in between.
 */
export const publicLookup = (host: string, options: { all?: boolean }, done: Done): void => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const addresses = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    // A private name fails like an unknown one.
    if (!first) done(new PrivateAddressError(`${host} has no public address`), []);
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
