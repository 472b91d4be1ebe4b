import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** From IANA's registry of special-purpose IPv4 addresses: all addresses that are not one host of the public internet. */
const SPECIAL_IPV4: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** The special addresses within 2000::/3, which is the whole allocated part of IPv6: protocol assignments with Teredo, documentation, 6to4. */
const SPECIAL_IPV6: readonly (readonly [network: string, prefix: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const special = new BlockList();
for (const [network, prefix] of SPECIAL_IPV4) special.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of SPECIAL_IPV6) special.addSubnet(network, prefix, 'ipv6');

const givenOut = new BlockList();
givenOut.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an address belongs to a host of the public internet. False for private, loopback, link-local, shared (CGNAT), unique local, multicast and
 * reserved ones, for IPv6 addresses that hold an IPv4 address, and for texts that are not addresses.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return false;
  return givenOut.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
