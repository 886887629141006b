import type { createLifetime } from '../../foundation';
import type { Vault } from '../../vault';
import type { Holders, KeepFor } from './holders';
import type { Places } from './places';

/** What open notes do when the vault tells of a change on the disk, or of one by the app itself. */
export function followVaultChanges({
  places,
  holders,
  vault,
  keep,
  lifetime,
}: {
  places: Places;
  holders: Pick<Holders, 'drop'>;
  vault: Vault;
  keep: KeepFor;
  lifetime: ReturnType<typeof createLifetime>;
}): void {
  function look(path: string): void {
    const place = places.byPath.get(path);
    if (place?.kind === 'open') void place.entry.open.review();
    if (place?.kind === 'opening') place.onChange();
  }

  lifetime.add(
    vault.onDiskChange(({ changed, removed }) => {
      for (const path of [...changed, ...removed]) look(path);
      // What is gone may have come back at another place.
      for (const { open } of places.all())
        if (open.session.save.get().kind === 'deleted') void open.saver.look();
    }),
  );
  lifetime.add(
    vault.onOwnChange((change) => {
      const isWritten = change.kind === 'written' || change.kind === 'linked';
      if (isWritten && places.at(change.path)?.open.saver.writing !== change.version) look(change.path);
      // A new note of an old name is a new note.
      const old = change.kind === 'created' ? places.at(change.path) : undefined;
      if (old) holders.drop(old, 'replaced');
    }),
  );
  lifetime.add(
    vault.onLateWrite(({ path, file, bytes }) => {
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      if (!places.all().some(({ open }) => open.saver.takeLate(file, text)))
        keep(path, text, 'unknown', file);
    }),
  );
  lifetime.add(
    vault.state.onChange(({ kind }) => {
      // Another folder is about to have these paths.
      if (kind === 'none') for (const entry of places.all()) holders.drop(entry, null);
      // It is back, or its disk can be written again.
      if (kind === 'open') for (const { open } of places.all()) void open.review();
    }),
  );
}
