import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export const resolveName: Resolve = (hostname) => lookup(hostname, { all: true });

/** Where a connection may go. Addresses that are written as numbers need no name: who writes one has checked it. */
export interface Reaching {
  readonly resolve: Resolve;
  readonly allows: (ip: string) => boolean;
}

/** A name has an address that is not allowed. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}

/** What is connected to is what was checked: a name that has other addresses a moment later gains nothing. */
export function checkedLookup({ resolve, allows }: Reaching): LookupFunction {
  const find = async (hostname: string) => {
    const addresses = [...(await resolve(hostname))];
    if (addresses.length === 0)
      throw Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
    if (!addresses.every(({ address }) => allows(address)))
      throw new NotReached(`${hostname} leads to an address where it may not lead.`);
    return addresses;
  };
  return (hostname, options, callback) => {
    find(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) callback(null, addresses);
        else callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
