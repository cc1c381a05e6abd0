/** Which addresses are of the public Internet: what others name as an address must not lead into the operator's network. */
import { lookup } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';

/** The special-purpose registries of IANA (RFC 6890), multicast, and the addresses of IPv4 within IPv6. */
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

// A list of both would find an IPv4 address within the IPv6 network of all of them.
const blocked = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix, family] of special) blocked[family].addSubnet(network, prefix, family);

export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  const family = version === 6 ? 'ipv6' : 'ipv4';
  return version !== 0 && !blocked[family].check(address, family);
};

/** False for a host that is an address in a network of its own; a name is looked up by `publicLookup`. */
export const mayBePublic = (url: URL): boolean => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 ? isPublicAddress(host) : !/(?:^|\.)(?:localhost|local|internal)\.?$/i.test(host);
};

export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError';
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * As `dns.lookup`, for an agent: fails with PrivateAddressError where a name leads to no public address. The connection goes
 * to what was checked, so that a name cannot have another address the next moment.
 */
export const publicLookup = (host: string, options: { all?: boolean }, done: Done): void => {
  lookup(host, { ...options, all: true }, (error, found) => {
    const addresses = error ? [] : found.filter(({ address }) => isPublicAddress(address));
    const [first] = addresses;
    // A name that only this network knows fails as one that nobody has.
    if (!first) done(new PrivateAddressError(`${host} has no public address`), []);
    else if (options.all === true) done(null, addresses);
    else done(null, first.address, first.family);
  });
};
