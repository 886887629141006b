import { isIP } from 'node:net';

/** Where an address leads: what is not clearly public may be this machine or its network. */
export interface AddressPlace {
  readonly host: string;
  /** All that says what is there. */
  readonly address: string;
  readonly isPublic: boolean;
}

const fetched = /^(?:https?|wss?|ftp):/i;
const schemed = /^[a-z][a-z0-9+.-]*:/i;
const isAddressKey = (key: string) =>
  /(?:ur[li]|href|link|host|hostname|domain|website|endpoint)s?$/i.test(key);

/**
 * An argument as whoever fetches it may read it; null: it is none. `key`: what the argument is called, since a bare name is an address
 * only where one is asked for. Programs read odd spellings in other ways than browsers do: such a one is not clearly public.
 */
export function addressOf(key: string, value: string): AddressPlace | null {
  const text = trimmed(value).replace(/[\t\r\n]/g, '');
  if (text === '') return null;
  const isAsked = isAddressKey(key);
  if (fetched.test(text)) return placeOf(text);
  if (/^[\\/]{2}/.test(text)) return placeOf(`http:${text}`);
  const inner = /^[a-z][a-z0-9+.-]*:(?=(?:https?|wss?|ftp):)/i.exec(text);
  if (inner) return unclear(placeOf(text.slice(inner[0].length)).host);
  if (/^[a-z][a-z0-9+.-]*:[\\/]{2}/i.test(text)) return placeOf(text.replace(schemed, 'http:'));
  if (isAsked)
    return /^(?:file|data|view-source|jar|blob):/i.test(text) ? unclear(text) : placeOf(`http://${text}`);
  if (/\s/.test(text)) return null;
  const bare = placeOf(`http://${text}`);
  const isHostLike =
    isIP(unbracketed(bare.host)) > 0 ? /[.:[]/.test(text.split('/')[0] ?? '') : isNamedOwn(bare.host);
  return !bare.isPublic && isHostLike ? bare : null;
}

/** Without blanks and signs of control at its ends; by hand, since a pattern tries each run of blanks once for each of them. */
function trimmed(text: string): string {
  let end = text.length;
  while (end > 0 && blank.test(text.charAt(end - 1))) end--;
  let start = 0;
  while (start < end && blank.test(text.charAt(start))) start++;
  return text.slice(start, end);
}

const blank = /[\p{Cc}\s]/u;

function withoutDots(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end--;
  return host.slice(0, end);
}

const unclear = (host: string): AddressPlace => ({ host, address: host, isPublic: false });

function placeOf(address: string): AddressPlace {
  if (!URL.canParse(address)) return unclear(address);
  const { protocol, host, hostname, pathname, search, username, password } = new URL(address);
  const isPlain =
    /^[a-z]+:\/\/[^/\\]/i.test(address) && !address.includes('\\') && username === '' && password === '';
  if (hostname === '') return unclear(address);
  return {
    host: hostname,
    address: `${protocol}//${host}${pathname}${search}`,
    isPublic: isPlain && isPublicHost(hostname),
  };
}

const unbracketed = (host: string) => host.replace(/^\[|\]$/g, '');

/** A host that everybody reaches; what its name leads to is not asked. */
export function isPublicHost(host: string): boolean {
  const bare = withoutDots(unbracketed(host).toLowerCase());
  if (isIP(bare) === 6) return isPublicSix(bare);
  if (isIP(bare) === 4) return !ownFour.test(`${bare}.`);
  return bare.includes('.') && !isNamedOwn(bare) && !namesOwnAddress(bare);
}

/** Public names that are known to lead to this machine, or to whatever address stands in them. */
const leadsAnywhere =
  /(?:^|\.)(?:nip\.io|sslip\.io|xip\.io|xip\.name|traefik\.me|localtest\.me|lvh\.me|vcap\.me|lacolhost\.com|localhost\.direct|backname\.io|local-ip\.(?:co|sh)|rbndr\.us|1u\.ms)$/;

/** An address of one's own as a part of a public name, with points or dashes in it. */
function namesOwnAddress(name: string): boolean {
  if (leadsAnywhere.test(name)) return true;
  return [...name.matchAll(/(?<!\d)(?=((?:\d{1,3}[.-]){3}\d{1,3})(?!\d))/g)].some(([, address = '']) => {
    const four = address.replaceAll('-', '.');
    return isIP(four) === 4 && ownFour.test(`${four}.`);
  });
}

const isNamedOwn = (host: string) =>
  /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|lan|home|corp|arpa|test|invalid|onion|fritz\.box)\.*$/i.test(
    host,
  );

const ownFour =
  /^(?:0|10|127|169\.254|192\.168|192\.0\.0|198\.1[89]|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])|2(?:2[4-9]|[3-5]\d))\./;

/** Of what is given out, without what holds an IPv4 address in it (6to4, Teredo). */
function isPublicSix(host: string): boolean {
  const [first = '', second = ''] = host.split(':');
  const group = Number.parseInt(first, 16);
  return (
    group >= 0x2000 &&
    group <= 0x3fff &&
    group !== 0x2002 &&
    !(group === 0x2001 && ['', '0'].includes(second))
  );
}
