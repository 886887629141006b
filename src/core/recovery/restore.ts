import type { RecoveryPart } from '../../contract/recovery';
import type { VersionDiff } from '../../contract/versions';
import { createOneAtATime } from '../foundation';
import { type NoteSession, type Notes, type StoredRecovery, withSession } from '../notes';
import type { Vault } from '../vault';
import { createPreviews } from '../versions';
import type { RecoveredTexts } from './texts';

/** Puts recovered texts into notes. */
export interface Restoring {
  compare(id: string, part: RecoveryPart, path: string): Promise<VersionDiff>;
  restore(
    id: string,
    part: RecoveryPart,
    path: string,
    basis: string,
    hunks: readonly number[] | null,
  ): Promise<{ saved: boolean }>;
  restoreAsNew(id: string, part: RecoveryPart): Promise<{ path: string }>;
}

export function createRestoring({
  vault,
  notes,
  texts,
  onRestored,
}: {
  readonly vault: Vault;
  readonly notes: Notes;
  readonly texts: RecoveredTexts;
  readonly onRestored: (stored: StoredRecovery, path: string) => void;
}): Restoring {
  const { recovery: store } = notes;
  const previews = createPreviews();
  /** Who asks second for what is just being put back finds it there. */
  const inOrder = createOneAtATime();

  async function restore(
    ...[id, part, path, basis, hunks]: Parameters<Restoring['restore']>
  ): Promise<{ saved: boolean }> {
    const stored = texts.take(id);
    store.read(stored, part);
    return withSession(notes, path, async (session) => {
      previews.apply(session, basis, hunks);
      const { kind } = await session.save();
      if (hunks === null) onRestored(stored, session.path);
      return { saved: kind === 'saved' };
    });
  }

  async function restoreAsNew(id: string, part: RecoveryPart): Promise<{ path: string }> {
    const stored = texts.take(id);
    const text = store.read(stored, part);
    const former = stored.restored?.path;
    if (former !== undefined && (await says(former, text))) return { path: former };
    const created = await vault.create(stored.note ?? `${stored.name}.md`, text);
    onRestored(stored, created.path);
    return created;
  }

  const says = (path: string, text: string): Promise<boolean> =>
    vault.read(path).then(
      (there) => there.text === text,
      () => false,
    );

  return {
    async compare(id, part, path) {
      const text = texts.read(id, part);
      return withSession(notes, path, async (session) => {
        await session.save();
        return previews.show(await onDiskNow(vault, session), text, text);
      });
    },
    restore: (...wish) => inOrder('restores', () => restore(...wish)),
    restoreAsNew: (id, part) => inOrder('restores', () => restoreAsNew(id, part)),
  };
}

/** As it would stand on disk, line ends included, where it does. */
async function onDiskNow(vault: Vault, session: NoteSession): Promise<string> {
  const { kind } = session.saveState();
  return kind === 'saved' ? (await vault.read(session.path)).text : session.text();
}
