import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type ServedVault, serveVault } from './serve-vault';

// biome-ignore lint/suspicious/noExplicitAny: answers of a protocol, looked at by the tests
export type Answer = any;
type Fields = Record<string, unknown>;

const begin = new Date('2027-01-15T12:00:00.000Z');

/** What an entity is, its id says. */
export function typeOf(id: string): string {
  const types: Record<string, string> = {
    M: 'milestone',
    S: 'story',
    T: 'task',
    DEC: 'decision',
    DOC: 'document',
  };
  return types[id.slice(0, id.indexOf('-')).toUpperCase()] ?? 'task';
}

/** Writes a note, and the folders that it needs. */
export async function putNote(root: string, path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

/**
 * For each test of a file an empty vault, its server in this process and a client of it, closed afterwards. What the
 * server reports meanwhile fails the test.
 */
export function vaultForEach() {
  let folder: string;
  let served: ServedVault;
  const root = () => join(folder, 'vault');
  const clock = { now: begin };

  beforeEach(async () => {
    clock.now = begin;
    folder = await mkdtemp(join(tmpdir(), 'vault-'));
    await mkdir(root());
    served = await serveVault(root(), () => clock.now);
  });

  afterEach(async () => {
    await served.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const call = async <T = Answer>(name: string, args: Fields = {}) =>
    JSON.parse(await served.ask(name, args)) as T;

  return {
    root,
    clock,
    call,
    put: (path: string, text: string | Uint8Array) => putNote(root(), path, text),
    text: (path: string) => readFile(join(root(), path), 'utf8'),
    /** The id of the entity that was made. */
    async make(type: string, data: Fields, options?: Fields): Promise<string> {
      const answer = await call('create_entity', { type, data, ...(options && { options }) });
      if (!answer.entity) throw new Error(JSON.stringify(answer));
      return answer.entity.id;
    },
    update: (id: string, data: Fields, more: Fields = {}) => call('update_entity', { id, data, ...more }),
  };
}
