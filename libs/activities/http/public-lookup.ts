import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './is-public-address.js';

/** A connection to this host is not allowed. The message does not show its address, which would reveal the private network. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';

  constructor(host: string) {
    super(
      `The address of "${host}" is not public. To call webhooks in private networks, set REDIAL_WEBHOOK_PRIVATE_ADDRESSES to "allow".`,
    );
  }
}

/**
 * Finds the addresses of a host for a connection. The connection uses these addresses and no others, so a name that changes its address after the
 * check gains nothing. One address that is not public refuses the host.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error, []);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new AddressRefused(hostname), []);
    return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
  });
};

/** Refuses a private address in the URL itself, for which no lookup is made. @throws AddressRefused */
export function refusePrivateLiteral({ hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused(host);
}
