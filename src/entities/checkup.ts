import { type Failure, toFailure } from './base/failures';
import { type ChangeParts, changeEntities } from './change/change';
import type { Entities } from './entity/index/entities';
import { damagedCanvases, isOfCanvas, repairOnCanvas } from './insight/canvases';
import { diagnose } from './insight/doctor';
import type { Finding } from './insight/finding';
import { damagedRecords, rewriteRecord } from './insight/records';
import { draftRepair } from './insight/repair';
import { rewriteCanvas } from './insight/rewrite-canvas';
import { journalName } from './store/batch/journal';
import { isOfLock } from './store/records/no-record';
import { ownPath } from './store/records/own-path';
import type { Store } from './store/store';

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

/** All that is wrong, in the notes, on the canvases and in what the app keeps beside them. */
export async function findings({
  store,
  entityIndex,
}: Pick<ChangeParts, 'store' | 'entityIndex'>): Promise<readonly Finding[]> {
  return findingsOf(store, await entityIndex.entities('folders'));
}

async function findingsOf(store: Store, entities: Entities): Promise<readonly Finding[]> {
  return [
    ...(await damagedRecords(store)),
    ...diagnose(entities),
    ...(await damagedCanvases(store, entities)),
  ];
}

type Outcome = Omit<Repaired, 'undo'> & Undo;

const isElsewhere = ({ repair }: Finding): boolean => repair?.kind === 'rename' || repair?.kind === 'new-id';

/**
 * Repairs the findings with these keys, as far as they still hold; `all` stands for what may be repaired unasked. What
 * can't be repaired keeps nothing else from it.
 */
export async function repair(parts: ChangeParts, keys: readonly string[]): Promise<Repaired> {
  const chosenKeys = new Set(keys);
  const chosen = (await findings(parts)).filter(
    ({ key, withAll }) => chosenKeys.has(key) || (withAll && chosenKeys.has('all')),
  );
  const { store } = parts;
  const isLock = ({ path, code }: Finding) => code === 'damaged_record' && isOfLock(path);
  const isJournal = ({ path, code, repair }: Finding) =>
    code === 'damaged_record' && path === ownPath(journalName) && repair !== null;
  const locks = await setAside(chosen.filter(isLock), store.setLockAside);
  const journals = await setAside(chosen.filter(isJournal), store.setJournalAside);
  const others = chosen.filter((finding) => !isLock(finding) && !isJournal(finding));
  // Texts first: who gets another name or id is not found at its path any more.
  const texts = await repairTogether(
    parts,
    others.filter((finding) => !isElsewhere(finding)),
  );
  const names = await repairTogether(parts, others.filter(isElsewhere));
  return {
    fixed: [...locks.fixed, ...journals.fixed, ...texts.fixed, ...names.fixed],
    failed: [...locks.failed, ...journals.failed, ...texts.failed, ...names.failed],
    undo: {
      renamed: [...texts.renamed, ...names.renamed],
      files: oncePerPath([...texts.files, ...names.files]),
    },
  };
}

/** What keeps everybody from a change is repaired outside of one. */
async function setAside(
  all: readonly Finding[],
  work: () => Promise<void>,
): Promise<Pick<Repaired, 'fixed' | 'failed'>> {
  if (all.length === 0) return { fixed: [], failed: [] };
  try {
    await work();
    return { fixed: all, failed: [] };
  } catch (error) {
    const failure = toFailure(error);
    return { fixed: [], failed: all.map((finding) => ({ finding, failure })) };
  }
}

/** In one change; where that can't be written, in two, until what is in the way of it is alone. */
async function repairTogether(parts: ChangeParts, chosen: readonly Finding[]): Promise<Outcome> {
  const [first] = chosen;
  if (!first) return { fixed: [], failed: [], renamed: [], files: [] };
  try {
    return await repairInOne(parts, chosen);
  } catch (error) {
    const ofFirst = chosen.filter(({ path }) => path === first.path);
    if (ofFirst.length === chosen.length) {
      const failure = toFailure(error);
      return { fixed: [], failed: chosen.map((finding) => ({ finding, failure })), renamed: [], files: [] };
    }
    const paths = [...new Set(chosen.map(({ path }) => path))];
    const half = new Set(paths.slice(0, paths.length / 2));
    const one = await repairTogether(
      parts,
      chosen.filter(({ path }) => half.has(path)),
    );
    const two = await repairTogether(
      parts,
      chosen.filter(({ path }) => !half.has(path)),
    );
    return {
      fixed: [...one.fixed, ...two.fixed],
      failed: [...one.failed, ...two.failed],
      renamed: [...one.renamed, ...two.renamed],
      files: [...one.files, ...two.files],
    };
  }
}

async function repairInOne(parts: ChangeParts, chosen: readonly Finding[]): Promise<Outcome> {
  const renamed: { from: string; to: string }[] = [];
  const keys = new Set(chosen.map(({ key }) => key));
  const outcome = await changeEntities(parts, async (edit, draft) => {
    const fixed: Finding[] = [];
    const failed: { finding: Finding; failure: Failure }[] = [];
    const entitiesNow = await parts.entityIndex.present();
    const files = new Set((await parts.store.list()).map(({ path }) => path));
    const exists = (path: string) => files.has(path);
    const present = await findingsOf(parts.store, entitiesNow);
    const attempt = async (tried: readonly Finding[], work: () => Promise<void>): Promise<void> => {
      const undo = edit.savepoint();
      try {
        await work();
        fixed.push(...tried);
      } catch (error) {
        undo();
        const failure = toFailure(error);
        failed.push(...tried.map((finding) => ({ finding, failure })));
      }
    };
    const repairOne = async (finding: Finding): Promise<void> => {
      if (finding.repair?.kind === 'rename') {
        const one = await parts.store.renameUnusable(finding.path, finding.repair.to);
        renamed.push(one);
        await edit.moved(one.from, one.to);
      } else if (finding.code === 'damaged_canvas' && finding.repair) {
        await rewriteCanvas(finding.path, draft);
      } else if (finding.repair?.kind === 'rewrite')
        await rewriteRecord(finding.path, parts.store, parts.now());
      else await draftRepair(finding, edit, draft);
    };
    const chosen = present.filter(({ key }) => keys.has(key));
    for (const finding of chosen)
      if (!isOfCanvas(finding)) await attempt([finding], () => repairOne(finding));
    for (const [path, together] of Map.groupBy(chosen.filter(isOfCanvas), (finding) => finding.path))
      await attempt(together, () => repairOnCanvas(path, keys, draft, entitiesNow, exists));
    return { fixed, failed, changes: draft.changes() };
  });
  const files = outcome.changes.map(({ path, before, after }) => ({
    path,
    before: before?.text ?? null,
    after,
  }));
  return { fixed: outcome.fixed, failed: outcome.failed, renamed, files };
}

/** Of a file that was changed more than once, what it was first and what it is now. */
function oncePerPath(files: Undo['files']): Undo['files'] {
  return [...Map.groupBy(files, ({ path }) => path)].map(([path, changes]) => ({
    path,
    before: changes[0]?.before ?? null,
    after: changes.at(-1)?.after ?? null,
  }));
}

/** Gives what could not be taken back, since somebody has changed it meanwhile. */
export async function takeBack({ store }: { store: Store }, { files, renamed }: Undo): Promise<Undo> {
  const rest: { files: Undo['files'][number][]; renamed: Undo['renamed'][number][] } = {
    files: [],
    renamed: [],
  };
  await store.change(async (draft) => {
    for (const together of Map.groupBy(files, noteOf).values()) {
      const present = await Promise.all(
        together.map(async ({ path }) => (await draft.read(path))?.text ?? null),
      );
      if (together.some(({ after }, at) => present[at] !== after)) {
        rest.files.push(...together);
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
        rest.renamed.push(one);
      }
    }
  });
  return rest;
}

/** The same for a note under its old and its new id: one without the other would be two notes, or none. */
function noteOf({ path, before, after }: Undo['files'][number]): string {
  const isMoved = before === null || after === null;
  return isMoved ? path.replace(/(^|\/)[A-Z]+-\d+ (?=[^/]*$)/i, '$1') : `same ${path}`;
}
