import type { ServerChanges, ServerDraft, ServerEntry } from '../../../contract/mcp';
import {
  isReference,
  maskedText,
  mayNameSecret,
  openHeaders,
  type SecretPart,
  secretArgParts,
  secretParts,
  withParts,
} from '../../foundation';
import type { SecretStore } from '../../host';

type Shown = ServerEntry['env'];
type Part = 'env' | 'headers';

/** What a screen may see of an environment or of headers; a literal that may be a secret only as what would stand for it. */
export function shownValues(server: string, part: Part, values: ServerDraft[Part]): Shown {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([name, text]) => {
      if (isReference(text)) return [name, { kind: 'reference' as const, text }];
      if (isOpen(part, name, text)) return [name, { kind: 'plain' as const, text }];
      return [name, { kind: 'hidden' as const, as: referenceFor(server, name) }];
    }),
  );
}

/** Arguments as a form may hold them: in the place of what is hidden stands what it is called in the key store. */
export function shownArgs(server: string, args: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return args.map((arg, at) =>
    withParts(arg, secretArgParts(args, at), ({ name }) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return referenceFor(server, count === 1 ? name : `${name}-${count}`);
    }),
  );
}

/** A folder or a program, such as `GIT_ASKPASS` names: what a server runs is never hidden. */
const place = /^(~|\.{1,2}|[A-Za-z]:)?([\\/][\w .-]+){2,}$/;

/** Whether it may stand on a screen as it is. */
export function isOpen(part: Part, name: string, text: string): boolean {
  if (part === 'env' && place.test(text)) return maskedText(text) === text;
  if (part === 'headers' ? !openHeaders.test(name) : mayNameSecret(name)) return false;
  if (maskedText(text) !== text) return false;
  // A long word of letters and digits is what keys look like.
  return !text
    .split(/[^A-Za-z0-9]+/)
    .some((word) => word.length >= 16 && /\d/.test(word) && /[A-Za-z]/.test(word));
}

const nameFor = (server: string, name: string) => `${server}/${name}`.replace(/[^\w.\-/ ]/g, '-');
const referenceFor = (server: string, name: string) => `\${secret:${nameFor(server, name)}}`;

/**
 * Changes as they are written into the file: a literal that may be a secret goes into the key store first, and the file
 * holds a reference. So does one from the file that comes back as what stood for it.
 */
export async function withStoredSecrets<Changes extends ServerChanges | ServerDraft>(
  draft: Pick<ServerDraft, 'name' | 'args' | 'env' | 'headers'>,
  changes: Changes,
  secrets: Pick<SecretStore, 'get' | 'set'>,
): Promise<Changes> {
  const result = { ...changes };
  for (const part of ['env', 'headers'] as const) {
    const change = changes[part];
    if (!change) continue;
    const before = draft[part] ?? {};
    const visible = shownValues(draft.name, part, before);
    const values: Record<string, string> = {};
    for (const [name, text] of Object.entries(change)) {
      const was = visible[name];
      const value = was?.kind === 'hidden' && was.as === text ? (before[name] ?? text) : text;
      // One that is put together from references is worked out when the server starts.
      const isSecret = !value.includes('${') && !isReference(value) && !isOpen(part, name, value);
      values[name] = isSecret ? await store(nameFor(draft.name, name), value, secrets) : value;
    }
    result[part] = values;
  }
  if (changes.args) result.args = await withStoredArgs(draft, changes.args, secrets);
  for (const key of ['command', 'url'] as const) {
    const text = changes[key];
    if (typeof text === 'string')
      result[key] = await withStoredParts(draft.name, text, secretParts({ text, place: key }), secrets);
  }
  if (changes.oauth) {
    const oauth = { ...changes.oauth };
    for (const key of ['clientSecret', 'privateKey'] as const) {
      const value = oauth[key];
      if (value !== undefined && !value.includes('${'))
        oauth[key] = await store(nameFor(draft.name, key), value, secrets);
    }
    result.oauth = oauth;
  }
  return result;
}

async function withStoredArgs(
  { name: server, args: before = [] }: Pick<ServerDraft, 'name' | 'args'>,
  next: readonly string[],
  secrets: Pick<SecretStore, 'get' | 'set'>,
): Promise<string[]> {
  const visible = shownArgs(server, before);
  const args: string[] = [];
  for (const [at, arg] of next.entries()) {
    const was = visible.findIndex((each, index) => each === arg && each !== before[index]);
    const parts = was === -1 ? secretArgParts(next, at) : secretArgParts(before, was);
    args.push(await withStoredParts(server, before[was] ?? arg, parts, secrets));
  }
  return args;
}

async function withStoredParts(
  server: string,
  text: string,
  parts: readonly SecretPart[],
  secrets: Pick<SecretStore, 'get' | 'set'>,
): Promise<string> {
  const stored = new Map<SecretPart, string>();
  for (const part of parts) {
    const value = text.slice(part.start, part.end);
    // One that is put together from references is worked out when the server starts.
    if (value.includes('${')) stored.set(part, value);
    else stored.set(part, await store(nameFor(server, part.name), value, secrets));
  }
  return withParts(text, parts, (part, value) => stored.get(part) ?? value);
}

/** Another secret of the same name stays what it is. */
async function store(
  name: string,
  value: string,
  secrets: Pick<SecretStore, 'get' | 'set'>,
): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const there = await secrets.get(candidate);
    if (there !== null && there !== value) continue;
    if (there === null) await secrets.set(candidate, value);
    return `\${secret:${candidate}}`;
  }
}
