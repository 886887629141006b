import { BlockList, isIP } from 'node:net';
import { type Resolve, resolveName } from '../../network';

/** Why an address is not to be called or opened; null where it may be. */
export type Refusal = string | null;

const nonPublic = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  nonPublic.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::', 96],
  ['100::', 64],
  ['2001::', 32],
  ['2002::', 16],
  ['fec0::', 10],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  nonPublic.addSubnet(net, bits, 'ipv6');
const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

type Reach = 'loopback' | 'private' | 'public';

/** IPv6 addresses that lead to an IPv4 one: compatible and translated ones carry it at the end, 6to4 in the second place. */
function carried(ip: string): string | null {
  const [head = '', tail] = ip.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  if (ip.includes('.')) return null;
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
  const [high = 0, low = 0] =
    groups[0] === 0x2002
      ? groups.slice(1, 3)
      : groups.slice(0, 6).every((group) => group === 0) || (groups[0] === 0x64 && groups[1] === 0xff9b)
        ? groups.slice(6)
        : [];
  return high === 0 ? null : `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function reachOfIp(ip: string): Reach {
  const within = isIP(ip) === 6 ? carried(ip) : null;
  if (within !== null && reachOfIp(within) === 'loopback') return 'loopback';
  // A list of IPv4 nets also answers for the IPv6 form of such an address.
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
  if (loopback.check(ip, family)) return 'loopback';
  return nonPublic.check(ip, family) ? 'private' : 'public';
}

/**
 * Where a name leads to, by all of its addresses; none where it has none now. The URL parser has already turned octal,
 * decimal and short forms into plain addresses.
 */
async function reachesOf(hostname: string, resolve: Resolve): Promise<Reach[]> {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isIP(host)) return [reachOfIp(host)];
  if (host === 'localhost' || host.endsWith('.localhost')) return ['loopback'];
  const addresses = await resolve(host).catch(() => []);
  return addresses.map(({ address }) => reachOfIp(address));
}

const inner: Readonly<Record<Reach, number>> = { loopback: 2, private: 1, public: 0 };

const innermost = (reaches: readonly Reach[]): Reach =>
  reaches.toSorted((one, other) => inner[other] - inner[one])[0] ?? 'public';

/** How far into a person's own network a server may lead: as far as all of its own addresses lie. */
export async function depthOf(server: URL, resolve: Resolve): Promise<number> {
  const reaches = await reachesOf(server.hostname, resolve);
  return Math.min(...(reaches.length === 0 ? ['public' as const] : reaches).map((reach) => inner[reach]));
}

/** Whether a connection may go to an address, for what a server of this depth asked for. */
export const reaches =
  (depth: number) =>
  (ip: string): boolean =>
    inner[reachOfIp(ip)] <= depth;

/**
 * Whether an address that a server named may be called or opened. It has to be https, or http on this computer, and
 * must not lead further into a person's own network than the server itself does. A name that nobody knows now is not
 * refused, since a proxy may know it: what connects asks once more, by `reaches`. `depth`: of the server, where it is known.
 */
export async function refusal(
  address: URL,
  server: URL,
  resolve: Resolve = resolveName,
  depth?: number,
): Promise<Refusal> {
  if (address.protocol !== 'https:' && address.protocol !== 'http:')
    return `${address.protocol} addresses are not followed.`;
  if (address.username || address.password)
    return 'Addresses with a name or password in them are not followed.';
  if (address.origin === server.origin) return null;
  const reach = innermost(await reachesOf(address.hostname, resolve));
  if (inner[reach] > (depth ?? (await depthOf(server, resolve))))
    return `${address.host} is on ${reach === 'loopback' ? 'this computer' : 'a private network'}, where the server is not.`;
  if (address.protocol === 'http:' && reach !== 'loopback')
    return `${address.host} is not called without encryption.`;
  return null;
}
