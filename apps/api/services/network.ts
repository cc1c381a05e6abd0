import { SocketAddress, isIPv4, isIPv6 } from 'node:net';

/** `::ffff:192.0.2.1` is an IPv4 address received over an IPv6 socket. */
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
 * The network from which one client can choose addresses, by which its calls are counted: an IPv4 address, or
 * the /64 of an IPv6 address. Anything else is returned unchanged.
 */
export const networkOf = (ip: string): string => {
  // An IPv4 address as the kernel writes it, which most are.
  if (!ip.includes(':')) return ip;
  const v4 = mapped.exec(ip)?.[1];
  if (v4 !== undefined && isIPv4(v4)) return v4;
  const [bare = ip] = ip.split('%', 1);
  if (!isIPv6(bare)) return ip;
  // In canonical form, without an IPv4 suffix.
  const { address } = new SocketAddress({ address: bare, family: 'ipv6' });
  const embedded = mapped.exec(address)?.[1];
  if (embedded !== undefined) return embedded;
  if (address.includes('.')) return address;
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
};
