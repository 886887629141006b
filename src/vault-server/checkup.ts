import { type Failure, toFailure } from './failures';
import type { Store } from './files/store';
import { diagnose, isRepairedWithAll } from './insight/doctor';
import type { Finding } from './insight/finding';
import { damagedRecords, rewriteRecord } from './insight/records';
import { draftRepair } from './insight/repair';
import { changeEntities, type VaultParts } from './tools/shared';

type Parts = Pick<VaultParts, 'store' | 'catalog' | 'now'>;

/** What takes a repair back, as long as nobody has changed the notes since. */
export interface Undo {
  readonly files: readonly {
    readonly path: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

export interface Repaired {
  readonly fixed: readonly Finding[];
  readonly failed: readonly { readonly finding: Finding; readonly failure: Failure }[];
  readonly undo: Undo;
}

/** Texts first: who gets another name or id is not found at its path any more. */
const lasts = new Set(['new-id', 'rename']);

/** All that is wrong, in the notes and in what the app keeps beside them. */
export async function findings(parts: Pick<Parts, 'store' | 'catalog'>): Promise<readonly Finding[]> {
  return [...(await damagedRecords(parts.store)), ...diagnose(await parts.catalog.entities())];
}

/** Repairs the findings with these keys, as far as they still hold; `all` stands for what may be repaired unasked. */
export async function repair(parts: Parts, keys: readonly string[]): Promise<Repaired> {
  const fixed: Finding[] = [];
  const failed: { finding: Finding; failure: Failure }[] = [];
  const renamed: { from: string; to: string }[] = [];
  const files = await changeEntities(parts, async (edit, draft) => {
    const present = [...(await damagedRecords(parts.store)), ...diagnose(await parts.catalog.present())];
    const wanted = present.filter(
      (finding) => keys.includes(finding.key) || (keys.includes('all') && isRepairedWithAll(finding)),
    );
    for (const finding of wanted.toSorted((a, b) => placeOf(a) - placeOf(b))) {
      const undo = edit.savepoint();
      try {
        if (finding.repair?.kind === 'rename') {
          renamed.push(await parts.store.renameUnusable(finding.path, finding.repair.to));
        } else if (finding.repair?.kind === 'rewrite') await rewriteRecord(finding.path, parts.store);
        else await draftRepair(finding, edit, draft);
        fixed.push(finding);
      } catch (error) {
        undo();
        const failure = toFailure(error);
        if (failure.code === 'internal') throw error;
        failed.push({ finding, failure });
      }
    }
    return draft.changes();
  });
  return {
    fixed,
    failed,
    undo: {
      renamed,
      files: files.map(({ path, before, after }) => ({ path, before: before?.text ?? null, after })),
    },
  };
}

function placeOf({ repair }: Finding): number {
  return Number(lasts.has(repair?.kind ?? ''));
}

/** Gives what could not be taken back, since somebody has changed it meanwhile. */
export async function takeBack({ store }: { store: Store }, { files, renamed }: Undo): Promise<Undo> {
  const left: { files: Undo['files'][number][]; renamed: Undo['renamed'][number][] } = {
    files: [],
    renamed: [],
  };
  await store.change(async (draft) => {
    for (const together of Map.groupBy(files, noteOf).values()) {
      const present = await Promise.all(
        together.map(async ({ path }) => (await draft.read(path))?.text ?? null),
      );
      if (together.some(({ after }, at) => present[at] !== after)) {
        left.files.push(...together);
        continue;
      }
      for (const { path, before } of together) {
        if (before === null) await draft.remove(path);
        else await draft.write(path, before);
      }
    }
    for (const one of renamed) {
      try {
        await store.renameUnusable(one.to, one.from.slice(one.from.lastIndexOf('/') + 1));
      } catch {
        left.renamed.push(one);
      }
    }
  });
  return left;
}

/** The same for a note under its old and its new id: one without the other would be two notes, or none. */
function noteOf({ path, before, after }: Undo['files'][number]): string {
  const isMoved = before === null || after === null;
  return isMoved ? path.replace(/(^|\/)[A-Z]+-\d+ (?=[^/]*$)/i, '$1') : `same ${path}`;
}
