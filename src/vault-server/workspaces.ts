import { z } from 'zod';
import { safeSegments } from '../files';
import { ToolFailure } from './failures';
import type { Store, VaultFile } from './store';

export interface Workspace {
  readonly name: string;
  /** A folder, relative to the vault. */
  readonly path: string;
}

const WorkspacesFile = z.object({
  workspaces: z.array(z.object({ name: z.string().min(1), path: z.string() })),
});

/** The folders named in `.interlinear/workspaces.json`, or, with none, each top-level folder that holds notes. */
export async function findWorkspaces(store: Store, files?: readonly VaultFile[]): Promise<Workspace[]> {
  const written = await store.readSetting('workspaces.json');
  if (written !== null) return readWorkspaces(written);
  const folders = new Set(
    (files ?? (await store.list()))
      .filter((file) => file.path.includes('/') && isNote(file.path))
      .map((file) => file.path.slice(0, file.path.indexOf('/'))),
  );
  return [...folders].sort().map((folder) => ({ name: folder, path: folder }));
}

export async function workspaceNamed(store: Store, name: string): Promise<Workspace> {
  const all = await findWorkspaces(store);
  const found =
    all.find((each) => each.name === name) ??
    all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  throw new ToolFailure('not_found', `There is no workspace “${name}”.`, {
    field: 'workspace',
    hint: `Known ones: ${all.map((each) => each.name).join(', ') || 'none'}`,
  });
}

export function isIn(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

export function isNote(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

function readWorkspaces(written: string): Workspace[] {
  try {
    return WorkspacesFile.parse(JSON.parse(written)).workspaces.map(({ name, path }) => ({
      name,
      path: safeSegments(path).join('/'),
    }));
  } catch {
    throw new ToolFailure('validation', '.interlinear/workspaces.json can’t be read.', {
      hint: 'It holds {"workspaces": [{"name": "…", "path": "folder in the vault"}]}.',
    });
  }
}
