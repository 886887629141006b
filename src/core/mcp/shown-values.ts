import type { ServerChanges, ServerDraft, ServerPicture } from '../../contract/mcp';
import { redactText } from '../foundation';
import type { SecretStore } from '../host';
import { isReference } from './environment';
import { maskedArgs, secretArg } from './secret-args';

type Shown = ServerPicture['env'];
type Part = 'env' | 'headers';

const secretName = /(key|token|secret|pass|pwd|auth|credential|cookie|session|private|signature)/i;
/** Of headers a literal is a secret unless it is one of these. */
const openHeaders = /^(accept|accept-language|content-type|user-agent|cache-control)$/i;

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
  const masked = maskedArgs(args);
  const taken = new Map<string, number>();
  return args.map((arg, at) => {
    if (masked[at] === arg) return arg;
    const { name, before } = secretPart(args, at);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return before + referenceFor(server, count === 1 ? name : `${name}-${count}`);
  });
}

/** Where nothing before it names it, it is named by its place. */
function secretPart(args: readonly string[], at: number) {
  return secretArg(args, at) ?? { name: `argument-${at + 1}`, before: '', value: args[at] ?? '' };
}

function isOpen(part: Part, name: string, text: string): boolean {
  if (part === 'headers' ? !openHeaders.test(name) : secretName.test(name)) return false;
  if (redactText(text) !== text || /:\/\/[^/\s]*@/.test(text)) return false;
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
  const written = { ...changes };
  for (const part of ['env', 'headers'] as const) {
    const wanted = changes[part];
    if (!wanted) continue;
    const before = draft[part] ?? {};
    const shown = shownValues(draft.name, part, before);
    const values: Record<string, string> = {};
    for (const [name, text] of Object.entries(wanted)) {
      const was = shown[name];
      const meant = was?.kind === 'hidden' && was.as === text ? (before[name] ?? text) : text;
      // One that is put together from references is worked out when the server starts.
      const isSecret = !meant.includes('${') && !isReference(meant) && !isOpen(part, name, meant);
      values[name] = isSecret ? await store(nameFor(draft.name, name), meant, secrets) : meant;
    }
    written[part] = values;
  }
  if (changes.args) written.args = await withStoredArgs(draft, changes.args, secrets);
  return written;
}

async function withStoredArgs(
  { name: server, args: before = [] }: Pick<ServerDraft, 'name' | 'args'>,
  wanted: readonly string[],
  secrets: Pick<SecretStore, 'get' | 'set'>,
): Promise<string[]> {
  const shown = shownArgs(server, before);
  const args: string[] = [];
  for (const [at, arg] of wanted.entries()) {
    const was = shown.findIndex((each, index) => each === arg && each !== before[index]);
    const found = was === -1 ? secretArg(wanted, at) : secretPart(before, was);
    const isSecret = found && found.value !== '' && !found.value.includes('${') && !isReference(found.value);
    if (isSecret) args.push(found.before + (await store(nameFor(server, found.name), found.value, secrets)));
    else args.push(before[was] ?? arg);
  }
  return args;
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
