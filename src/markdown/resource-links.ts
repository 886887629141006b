import { codeSpans, isInside } from './inline-code';
import { inlineLinks } from './links';
import { scanBlocks } from './scan';

/** A link to a resource of a server: `[name](mcp://server/uri)`. Its content goes with the message. */
export interface ResourceLink {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  /** The server's name or id. */
  readonly server: string;
  readonly uri: string;
}

const scheme = 'mcp://';
const inServer = /[%/\s()<>"\\`[\]|\p{C}]/gu;
const inUri = /[%\s()<>"\\`[\]|\p{C}]/gu;

export function printResourceLink({ name, server, uri }: Omit<ResourceLink, 'from' | 'to'>): string {
  const label = name
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/[\\[\]`#|]/g, '\\$&')
    .trim();
  return `[${label || 'resource'}](${scheme}${encoded(server, inServer)}/${encoded(uri, inUri)})`;
}

/** Outside code and callouts. */
export function findResourceLinks(text: string): readonly ResourceLink[] {
  if (!text.includes(`](${scheme}`)) return [];
  const links: ResourceLink[] = [];
  for (const block of scanBlocks(text)) {
    if (block.kind !== 'line') continue;
    const code = codeSpans(text, block.from, block.to);
    inlineLinks(text, block.from, block.to, (from, to, address) => {
      if (!address.startsWith(scheme) || isInside(code, from)) return;
      const slash = address.indexOf('/', scheme.length);
      if (slash <= scheme.length || slash + 1 === address.length) return;
      const label = text.slice(from + 1, text.lastIndexOf('](', to)).replace(/\\([\\[\]`#])/g, '$1');
      links.push({
        from: text[from - 1] === '!' ? from - 1 : from,
        to,
        name: label,
        server: decoded(address.slice(scheme.length, slash)),
        uri: decoded(address.slice(slash + 1)),
      });
    });
  }
  return links;
}

/** Only what would end the link, so that an address stays readable. */
const encoded = (text: string, what: RegExp) =>
  text.toWellFormed().replace(what, (unit) => {
    const plain = encodeURIComponent(unit);
    return plain === unit ? `%${unit.charCodeAt(0).toString(16).toUpperCase()}` : plain;
  });

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
