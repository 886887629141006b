import { join } from 'node:path';
import { realPlace } from '../files';
import type { AppData } from './app-data';
import { createNoteIdentity, type NoteIdentity } from './authority';
import { type Chat, createWrittenWords, type WrittenWords } from './chat';
import type { Lifetime } from './foundation';
import type { Host } from './host';
import { createNotes, type Notes } from './notes';
import { addNotesNotice, isAbout, type Notices } from './notices';
import { createRecovery, type Recovery } from './recovery';
import { createVault, type Vault } from './vault';
import { createVaultContents } from './vaults';
import { createVersions, type Versions } from './versions';

/** The open vault, its notes, and how they were. */
export interface AppNotes {
  readonly vault: Vault;
  readonly identity: NoteIdentity;
  readonly writtenWords: WrittenWords;
  readonly versions: Versions;
  readonly notes: Notes;
  readonly recovery: Recovery;
}

/** One list of what each part is given. */
export function createAppNotes({
  host,
  data,
  notices,
  life,
  runs,
  parse,
  pathOfEntity,
}: {
  readonly host: Host;
  readonly data: AppData;
  readonly notices: Notices;
  readonly life: Lifetime;
  readonly runs: () => Chat['runs'];
  readonly parse: Chat['parse'];
  /** Where the entity of a note with this text is now. */
  readonly pathOfEntity: (text: string) => Promise<string | null>;
}): AppNotes {
  const { clock, log, dataFolder } = host;
  const { settings, trust, database, folder, noticeTrouble, noticeTroubleOver } = data;

  const vault = createVault({
    log: log.named('vault'),
    clock,
    trust,
    contributions: createVaultContents(trust),
    moveToTrash: host.moveToTrash,
  });
  life.add(vault.close);
  const identity = createNoteIdentity({ database, vault, clock });
  life.add(identity.close);
  const writtenWords = createWrittenWords({
    ...{ database, identity, vaultId: vault.id, parse },
    places: {
      placeOf: (path) => (vault.state.get().kind === 'none' ? null : realPlace(join(vault.root(), path))),
      fileAt: vault.fileAt,
      lastSeen: identity.lastSeen,
    },
  });
  const versions = createVersions({
    vault,
    notes: () => notes,
    runs,
    settings: settings.current,
    dataFolder,
    tellsOfDisk: !host.isGuest,
    clock,
    log: log.named('versions'),
    onTrouble: noticeTrouble('versions'),
    onTroubleOver: noticeTroubleOver('versions'),
    onToolWrote(path, tool, texts) {
      try {
        writtenWords.toolWrote(path, tool, texts);
      } catch (error) {
        log.warn('what a tool wrote not remembered', { path, error });
      }
    },
    onStands(from, text) {
      try {
        recovery.stands(from, text);
      } catch (error) {
        log.warn('recovered text that stands in its note not removed', { error });
      }
    },
  });
  life.add(versions.close);
  const notes = createNotes({
    vault,
    observer: versions.observer,
    dataFolder,
    clock,
    log: log.named('notes'),
    onTrouble: (trouble) => addNotesNotice(notices, trouble),
    onJournals: () => notices.withdraw(({ code }) => code === 'no-journals'),
    whereNow: async (text, file) =>
      (file !== null ? vault.whereIs(file) : null) ?? (await pathOfEntity(text)),
  });
  life.add(notes.close);
  folder.whenMadeAnew(notes.reviewJournals);
  const recovery = createRecovery({
    ...{ vault, notes, now: clock.now },
    onSettled: (place) => notices.withdraw((facts) => isAbout(facts, place)),
  });
  life.add(recovery.close);
  return { vault, identity, writtenWords, versions, notes, recovery };
}
