import { SocketAddress, isIPv4, isIPv6 } from 'node:net';

/** `::ffff:192.0.2.1` is an IPv4 address that came in over an IPv6 socket. */
const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The eight groups of an IPv6 address as numbers. */
const groupsOf = (address: string): number[] => {
  const [head = '', tail] = address.split('::', 2);
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  if (tail === undefined) return left;
  const right = parse(tail);
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
};

/**
 * What one client can choose addresses from, and so what its calls are counted by: an IPv4 address, or the /64 of an
 * IPv6 address. Anything else is returned as it is.
 */
export const networkOf = (ip: string): string => {
  const v4 = mapped.exec(ip)?.[1];
  if (v4 !== undefined && isIPv4(v4)) return v4;
  const [bare = ip] = ip.split('%', 1);
  if (!isIPv6(bare)) return ip;
  // Written one way only, without an IPv4 tail.
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  if (address.includes('.')) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};
