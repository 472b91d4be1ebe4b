import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './is-public-address.js';

describe('an address of the public internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2001:4860:4860::8888',
    '2a00:1450:4001:82a::200e',
  ])('is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ['unspecified', '0.0.0.0'],
    ['of this network', '0.255.255.255'],
    ['private', '10.0.0.1'],
    ['private', '172.16.0.1'],
    ['private', '172.31.255.255'],
    ['private', '192.168.255.255'],
    ['shared by carriers', '100.64.0.0'],
    ['shared by carriers', '100.127.255.255'],
    ['loopback', '127.0.0.1'],
    ['loopback', '127.255.255.255'],
    ['link-local: where clouds keep credentials', '169.254.169.254'],
    ['protocol assignments', '192.0.0.1'],
    ['documentation', '192.0.2.1'],
    ['documentation', '198.51.100.1'],
    ['documentation', '203.0.113.1'],
    ['benchmarking', '198.19.255.255'],
    ['multicast', '224.0.0.1'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback, spelled out', '0:0:0:0:0:0:0:1'],
    ['loopback, mapped', '::ffff:127.0.0.1'],
    ['loopback, mapped', '::ffff:7f00:1'],
    ['mapped, whatever it is mapped from', '::ffff:8.8.8.8'],
    ['compatible with loopback', '::127.0.0.1'],
    ['translated', '64:ff9b::7f00:1'],
    ['translated locally', '64:ff9b:1::1'],
    ['6to4 of loopback', '2002:7f00:1::'],
    ['Teredo', '2001:0:1::1'],
    ['documentation', '2001:db8::1'],
    ['documentation', '3fff::1'],
    ['unique local', 'fc00::1'],
    ['unique local', 'fd12:3456:789a::1'],
    ['link-local', 'fe80::1'],
    ['link-local with its zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['discarded', '100::1'],
    ['not an address', 'localhost'],
    ['not an address', '127.1'],
    ['not an address', ''],
  ])('is not one that is %s: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
