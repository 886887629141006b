import { z } from 'zod';
import { isUnder } from '../../contract/paths';
import { safeSegments } from '../../files';
import { ToolFailure } from '../base/failures';
import type { Store } from './store';
import type { VaultFile } from './tree/vault-file';

/** In `.interlinear/`, written by a person. */
export const workspacesName = 'workspaces.json';

export interface Workspace {
  readonly name: string;
  /** A folder, relative to the vault. */
  readonly path: string;
}

const WorkspacesFile = z.object({
  /** Where new entities go. */
  entities: z.string().min(1).default('Projects'),
  workspaces: z
    .array(z.object({ name: z.string().min(1), path: z.string(), entities: z.string().min(1).optional() }))
    .default([]),
});
type WorkspacesFile = z.infer<typeof WorkspacesFile>;

/** Where entities live. */
export interface EntityFolders {
  /** That of the workspace, by name or because another note lies in it, else that of the vault. */
  folderFor(workspace: string | undefined, besides: string | undefined): string;
}

/** The folders named in `.interlinear/workspaces.json`, or, with none, each top-level folder that holds notes. */
export async function findWorkspaces(store: Store, files?: readonly VaultFile[]): Promise<Workspace[]> {
  const { workspaces } = await readFile(store);
  if (workspaces.length > 0) return workspaces;
  const folders = new Set(
    (files ?? (await store.list()))
      .filter((file) => file.path.includes('/') && isNote(file.path))
      .map((file) => file.path.slice(0, file.path.indexOf('/'))),
  );
  return [...folders].sort().map((folder) => ({ name: folder, path: folder }));
}

export async function workspaceNamed(store: Store, name: string): Promise<Workspace> {
  const all = await findWorkspaces(store);
  const workspace =
    all.find((each) => each.name === name) ??
    all.find((each) => each.name.toLowerCase() === name.toLowerCase());
  if (workspace) return workspace;
  throw unknownWorkspace(name, all);
}

export function isNote(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** As `entityFolders`; where they can't be read, whoever asks for one is told. */
export async function entityFoldersIfAsked(store: Store): Promise<EntityFolders> {
  try {
    return await entityFolders(store);
  } catch (error) {
    return {
      folderFor() {
        throw error;
      },
    };
  }
}

export async function entityFolders(store: Store): Promise<EntityFolders> {
  const { entities, workspaces } = await readFile(store);
  /** A folder that nobody named has its own entities in a folder of it, as the vault has; that of the vault is one. */
  function withOwnFolder({ name, path }: Workspace): Named {
    return isUnder(entities, path)
      ? { name, path, entities }
      : { name, path, entities: `${path}/${entities.slice(entities.lastIndexOf('/') + 1)}` };
  }

  function isAround({ path, entities: own }: Named, besides: string): boolean {
    return isUnder(besides, workspaces.length > 0 || own === undefined ? path : own);
  }

  const all = workspaces.length > 0 ? workspaces : (await findWorkspaces(store)).map(withOwnFolder);
  return {
    folderFor: (workspace, besides) => {
      const workspaceEntry =
        all.find((each) => each.name === workspace) ??
        all.find((each) => each.name.toLowerCase() === workspace?.toLowerCase());
      if (workspace !== undefined && !workspaceEntry) throw unknownWorkspace(workspace, all);
      const around = all
        .filter((each) => besides !== undefined && each.entities !== undefined && isAround(each, besides))
        .sort((a, b) => b.path.length - a.path.length)[0];
      return (workspaceEntry ?? around)?.entities ?? entities;
    },
  };
}

type Named = WorkspacesFile['workspaces'][number];

async function readFile(store: Store): Promise<WorkspacesFile> {
  const text = await store.readSetting(workspacesName);
  if (text === null) return WorkspacesFile.parse({});
  try {
    const { entities, workspaces } = WorkspacesFile.parse(JSON.parse(text));
    return {
      entities: inVault(entities),
      workspaces: workspaces.map((each) => ({
        name: each.name,
        path: inVault(each.path),
        ...(each.entities === undefined ? {} : { entities: inVault(each.entities) }),
      })),
    };
  } catch {
    throw new ToolFailure('validation', '.interlinear/workspaces.json can’t be read.', {
      hint: 'It holds {"entities": "folder for entities", "workspaces": [{"name": "…", "path": "folder in the vault"}]}. Put that right, or have it set aside: check_project with its key in fix.',
    });
  }
}

function inVault(path: string): string {
  return safeSegments(path).join('/');
}

function unknownWorkspace(name: string, all: readonly Pick<Workspace, 'name'>[]): ToolFailure {
  return new ToolFailure('not_found', `There is no workspace “${name}”.`, {
    field: 'workspace',
    hint: `Known ones: ${all.map((each) => each.name).join(', ') || 'none'}`,
  });
}
