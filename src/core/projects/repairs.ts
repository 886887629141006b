import { randomUUID } from 'node:crypto';
import { diagnose, type Project, ToolFailure, type Undo } from '../../vault-server/project';
import type { Answers } from './door';

/** The last ones can be taken back, until the vault is left. */
const mostUndo = 50;

export function repairAnswers(
  project: Project,
  saveNote: (path: string) => Promise<unknown>,
): Pick<Answers, 'check' | 'repair' | 'undoRepair'> {
  const done = new Map<string, Undo>();

  function keep(undo: Undo): string | null {
    if (undo.files.length + undo.renamed.length === 0) return null;
    const id = randomUUID();
    done.set(id, undo);
    for (const oldest of done.keys()) {
      if (done.size <= mostUndo) break;
      done.delete(oldest);
    }
    return id;
  }

  return {
    check: async () => [...diagnose(await project.entities())],
    repair: async ({ keys }) => {
      const wanted = new Set(keys);
      for (const { key, path } of diagnose(await project.entities()))
        if (wanted.has(key)) await saveNote(path);
      const { fixed, failed, undo } = await project.repair(keys);
      return {
        fixed: fixed.length,
        failed: failed.map(({ finding, failure }) => ({ path: finding.path, reason: failure.message })),
        undo: keep(undo),
      };
    },
    undoRepair: async ({ undo }) => {
      const kept = done.get(undo);
      if (!kept) throw new ToolFailure('not_found', 'That repair can’t be taken back any more.');
      for (const { path } of kept.files) await saveNote(path);
      await project.takeBack(kept);
      done.delete(undo);
      return {};
    },
  };
}
