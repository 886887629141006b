import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../../contract/errors';
import type { ServerChanges, ServerDraft } from '../../../contract/mcp';
import { folderId, safePath } from '../../../files';
import type { Pins } from '../../trust';
import { bundledKeys, bundledName } from './bundled';
import { type ConfigContent, type ConfigFile, createConfigFile } from './config-file';
import type { ConfigEdit } from './edit-jsonc';
import { changedEntry, entryEdits, placeOf, setKey } from './entry-edits';
import { type ListedServers, listServers } from './listed-servers';
import { readEntry, type ServerConfig, withoutName } from './server-config';
import { freeName } from './server-names';
import { serverContribution } from './vault-servers';

export interface OpenVault {
  readonly root: string;
  /** What the person agreed to; null without trust. */
  readonly pins: Pins | null;
}

/** All configured servers: the person's file, the vault's file (which wins on the same name) and the bundled one. */
export interface Configuration {
  current(): ListedServers;
  load(): Promise<void>;
  /** `bundled` is the server that comes with the app, for this vault. */
  setVault(vault: OpenVault | null, bundled: ServerDraft | null): Promise<void>;
  /** Throws `mcp.name-taken`. */
  add(level: 'user' | 'vault', drafts: readonly ServerDraft[]): Promise<string[]>;
  /** Null takes a key away. */
  update(server: ServerConfig, changes: ServerChanges): Promise<void>;
  setApproval(server: ServerConfig, tool: string, approval: string): Promise<void>;
  remove(server: ServerConfig): Promise<void>;
  close(): void;
}

const vaultFile = '.interlinear/mcp.json';
/** One closure: whatever is read or changed concerns the same two files, of which the vault's may be another at any time. */
export function createConfiguration({
  dataFolder,
  onChange,
}: {
  dataFolder: string;
  onChange(): void;
}): Configuration {
  try {
    // A folder that is not there cannot be watched.
    mkdirSync(dataFolder, { recursive: true });
  } catch {
    // Said when the file is read.
  }
  const user = createConfigFile({ path: join(dataFolder, 'mcp.json'), isPrivate: true, onChange });
  let ofVault: { root: string; file: ConfigFile; pins: Pins | null } | null = null;
  let bundled: ServerDraft | null = null;
  let folder: string | null = null;

  function fileOf(level: ServerConfig['level']): ConfigFile {
    if (level !== 'vault') return user;
    if (!ofVault) throw new AppError('vault.none', 'No vault is open.', {});
    if (!ofVault.pins)
      throw new AppError('vault.untrusted', 'Servers of a vault need your trust in it first.', {});
    return ofVault.file;
  }

  /** What a person changes through the app they agree to; not what somebody else changed in the same entry. */
  const consent = (server: ServerConfig | null, name: string) => {
    if (!ofVault?.pins || (server && server.level !== 'vault')) return undefined;
    const { pins, root } = ofVault;
    const thing = (content: ConfigContent, of: string) => serverContribution(of, content.servers[of], root);
    return (before: ConfigContent, after: ConfigContent) => {
      const previous = server && thing(before, server.draft.name);
      if (!previous || pins.isAgreed(previous)) pins.agree([thing(after, name)]);
    };
  };

  return {
    current: () => listServers({ user, vault: ofVault, bundled, folder }),
    async load() {
      await Promise.all([user.load(), ofVault?.file.load()]);
    },
    async setVault(vault, bundledDraft) {
      ofVault?.file.close();
      ofVault = null;
      bundled = bundledDraft;
      folder = vault && folderId(vault.root);
      if (vault) {
        const file = createConfigFile({
          path: join(vault.root, ...vaultFile.split('/')),
          locate: () => safePath(vault.root, vaultFile),
          onChange,
        });
        ofVault = { root: vault.root, file, pins: vault.pins };
        await file.load();
      }
      onChange();
    },
    async add(level, drafts) {
      const file = fileOf(level);
      const usedNames = new Set([...Object.keys(file.content().servers), bundledName]);
      const ids: string[] = [];
      const names: string[] = [];
      const edits = drafts.map((draft): ConfigEdit => {
        checked(draft.name, draft);
        const { name } = draft;
        if (usedNames.has(name)) throw nameTaken(name, usedNames);
        usedNames.add(name);
        names.push(name);
        const id = randomUUID();
        ids.push(id);
        return { kind: 'set', path: ['mcpServers', name], value: { id, ...withoutName(draft) } };
      });
      await file.edit(edits, (before, after) => {
        if (level === 'vault') for (const name of names) consent(null, name)?.(before, after);
      });
      return ids;
    },
    async update(server, changes) {
      const file = fileOf(server.level);
      const { name, ...rest } = changes;
      if (server.level === 'bundled') assertOfBundled(changes);
      checked(name ?? server.draft.name, changedEntry(server, rest));
      const edits = entryEdits(server, rest, file.content().servers[server.draft.name]);
      if (name !== undefined && name !== server.draft.name) {
        const usedNames = new Set([...Object.keys(file.content().servers), bundledName]);
        if (usedNames.has(name)) throw nameTaken(name, usedNames);
        edits.push({ kind: 'rename', path: placeOf(server), name });
      }
      await file.edit(edits, consent(server, name ?? server.draft.name));
    },
    setApproval: (server, tool, approval) =>
      fileOf(server.level).edit(
        [setKey([...placeOf(server), 'approval', tool], approval)],
        consent(server, server.draft.name),
      ),
    async remove(server) {
      if (server.level === 'bundled')
        throw invalid(['The server that comes with the app cannot be removed, only switched off.']);
      await fileOf(server.level).edit([setKey(placeOf(server), undefined)]);
    },
    close() {
      user.close();
      ofVault?.file.close();
    },
  };
}

/** Of the server that comes with the app only some keys are a person's to change. */
function assertOfBundled({ name, ...rest }: ServerChanges): void {
  const key =
    Object.entries(rest).find(([key, value]) => value !== undefined && !bundledKeys.has(key))?.[0] ??
    (name ? 'name' : undefined);
  if (key !== undefined) throw invalid([`“${key}” of the server that comes with the app cannot be changed.`]);
}

function checked(name: string, raw: object): void {
  const entry = readEntry(name, withoutName(raw));
  if (entry.kind === 'wrong') throw invalid([entry.message]);
}

const invalid = (issues: string[]) =>
  new AppError('mcp.invalid-config', issues[0] ?? 'This is not a server.', { issues });

function nameTaken(name: string, usedNames: ReadonlySet<string>): AppError<'mcp.name-taken'> {
  const free = freeName(name, usedNames);
  const message = `There is already a server called “${name}”; “${free}” is free.`;
  return new AppError('mcp.name-taken', message, { name, free });
}
