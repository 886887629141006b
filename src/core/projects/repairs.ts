import { randomUUID } from 'node:crypto';
import { type Project, ToolFailure, type Undo } from '../../entities/project';
import type { Answers } from './answer-types';

/** The last ones can be taken back, until the vault is left. */
const mostUndo = 50;

const pathsOf = ({ files, renamed }: Undo) => [
  ...new Set([...files.map(({ path }) => path), ...renamed.map(({ to }) => to)]),
];

export function repairAnswers(
  project: Project,
  saveNote: (path: string) => Promise<unknown>,
): Pick<Answers, 'check' | 'repair' | 'repairs' | 'undoRepair'> {
  const repairsById = new Map<string, { readonly undo: Undo; readonly fixed: number }>();

  function keep(undo: Undo, fixed: number): string | null {
    if (undo.files.length + undo.renamed.length === 0) return null;
    const id = randomUUID();
    repairsById.set(id, { undo, fixed });
    for (const oldest of repairsById.keys()) {
      if (repairsById.size <= mostUndo) break;
      repairsById.delete(oldest);
    }
    return id;
  }

  return {
    check: async () => [...(await project.findings())],
    repair: async ({ keys }) => {
      const chosen = new Set(keys);
      for (const { key, path } of await project.findings()) if (chosen.has(key)) await saveNote(path);
      const { fixed, failed, undo } = await project.repair(keys);
      return {
        fixed: fixed.length,
        failed: failed.map(({ finding, failure }) => ({ path: finding.path, reason: failure.message })),
        undo: keep(undo, fixed.length),
      };
    },
    repairs: async () =>
      [...repairsById].reverse().map(([id, { undo, fixed }]) => ({
        undo: id,
        fixed,
        paths: pathsOf(undo),
      })),
    undoRepair: async ({ undo }) => {
      const repair = repairsById.get(undo);
      if (!repair) throw new ToolFailure('not_found', 'That repair can’t be taken back any more.');
      for (const { path } of repair.undo.files) await saveNote(path);
      const notTakenBack = await project.takeBack(repair.undo);
      const paths = pathsOf(notTakenBack);
      if (paths.length === 0) {
        repairsById.delete(undo);
        return {};
      }
      repairsById.set(undo, { ...repair, undo: notTakenBack });
      const isAll = paths.length === pathsOf(repair.undo).length;
      throw new ToolFailure(
        'conflict',
        `Changed since the repair, so not taken back: ${paths.map((path) => `“${path}”`).join(', ')}.`,
        { hint: isAll ? 'Nothing was taken back.' : 'All the others were.' },
      );
    },
  };
}
