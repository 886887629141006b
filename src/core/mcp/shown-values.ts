import type { ServerChanges, ServerDraft, ServerPicture } from '../../contract/mcp';
import { redactText } from '../foundation';
import type { SecretStore } from '../host';
import { isReference } from './environment';
import { secretArg } from './secret-args';

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
  draft: Pick<ServerDraft, 'name' | 'env' | 'headers'>,
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
  if (changes.args) {
    const args: string[] = [];
    for (const [at, arg] of changes.args.entries()) {
      const found = secretArg(changes.args, at);
      const isSecret =
        found && found.value !== '' && !found.value.includes('${') && !isReference(found.value);
      args.push(
        isSecret ? found.before + (await store(nameFor(draft.name, found.name), found.value, secrets)) : arg,
      );
    }
    written.args = args;
  }
  return written;
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
