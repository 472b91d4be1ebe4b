import { BlockList, isIP } from 'node:net';

/** The origin and the host in a request. */
export interface RequestOrigin {
  readonly method: string;
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  /** `Sec-Fetch-Site`, which browsers send and pages cannot set. */
  readonly fetchSite?: string | undefined;
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i;

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8);
loopback.addAddress('::1', 'ipv6');

/**
 * The reason to refuse a request as that of a page of another site; `undefined` if it is not one. A page can make a browser send requests to
 * this host, also under a name of the page's own (DNS rebinding); without a token nothing else would stop it.
 * @param hasToken whether the server asks for a token, which no page knows: then `Host` and `Origin` may have any value
 */
export function foreignOrigin(request: RequestOrigin, hasToken: boolean): string | undefined {
  const { method, host = '', origin, fetchSite } = request;
  if (method !== 'GET' && fetchSite === 'cross-site') return 'it comes from a page of another site';
  if (hasToken) return undefined;
  if (!isLoopbackHost(host)) return 'its Host is not localhost, an address in 127.0.0.0/8 or [::1]';
  if (origin !== undefined && !isOwn(origin, host)) return 'its Origin is not the host that it is sent to';
  if (method !== 'GET' && fetchSite === 'same-site' && origin === undefined)
    return 'it comes from a page of another origin';
  return undefined;
}

/** Whether this is an address that only this host reaches: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopback(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return address.toLowerCase() === 'localhost';
  return loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function isLoopbackHost(host: string): boolean {
  const [, name = '', port = '0'] = HOST.exec(host) ?? [];
  return Number(port) <= 65_535 && (name === '[::1]' || isLoopback(name));
}

/** Whether host and port are equal, with the port of the scheme if none is written. `null` is a foreign origin. */
function isOwn(origin: string, host: string): boolean {
  if (!/^https?:\/\/[^/?#@\s]+$/i.test(origin) || !URL.canParse(origin)) return false;
  const { protocol, host: from } = new URL(origin);
  const to = `${protocol}//${host}`;
  return URL.canParse(to) && new URL(to).host === from;
}
