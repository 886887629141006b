import { X } from 'lucide-react';
import { useState } from 'react';
import type { SaveState } from '../../../contract/notes';
import { useAction } from '../../base/core/core';
import { isMissed } from '../../base/core/missed';
import { useLayout } from '../../base/layout/layout';
import { useVaultEntries } from '../../base/layout/vault-entries';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, IconButton } from '../../ui';
import { type OpenNote, type SettledIn, useOpenNotes } from '../editor/context/open-notes';
import { isSaid, unsavedText } from './save-words';

export interface NoteNoticesProps {
  path: string;
  note: OpenNote;
  failedToOpen: boolean;
  /** It was missing, and is there now. */
  onCreated(): void;
  /** At which path it is then. */
  writeAgain(): Promise<{ path: string } | null>;
}

/** What is to be said of a note above its text, with the one thing that can be done about it. */
export function NoteNotices({ path, note, failedToOpen, onCreated, writeAgain }: NoteNoticesProps) {
  const change = useOpenNotes((notes) => notes.change);
  const show = useLayout((layout) => layout.show);
  const isMissing = useIsMissing(path);
  // What is not acknowledged because it could not be saved is said by SaveTrouble.
  const isSaidBelow = note.save?.kind === 'failed' && isSaid(note.problem, note.save, path);
  const dismiss = (what: 'problem' | 'conflict' | 'movedBy') => (
    <IconButton icon={X} label={t('ui.dismiss')} size="s" onClick={() => change(path, { [what]: null })} />
  );
  return (
    <>
      {failedToOpen && isMissing && <MissingNote path={path} onCreated={onCreated} />}
      {note.problem && !isSaidBelow && !(failedToOpen && isMissing) && (
        <Callout
          tone="bad"
          title={failedToOpen && t('note.notShown')}
          actions={
            !failedToOpen && (
              <>
                {(note.settledIn === 'providers' || note.settledIn === 'agents') && (
                  <SettleIn section={note.settledIn} />
                )}
                {dismiss('problem')}
              </>
            )
          }
        >
          {note.problem}
        </Callout>
      )}
      {note.conflict && (
        <Callout
          tone="warn"
          title={t('note.bothKept')}
          actions={
            <>
              <Button size="s" onClick={() => show({ kind: 'recovery', about: path })}>
                {t('note.showBoth')}
              </Button>
              {dismiss('conflict')}
            </>
          }
        >
          {note.conflict}
        </Callout>
      )}
      {note.movedBy && (
        <Callout tone="neutral" title={t('note.followedTitle')} actions={dismiss('movedBy')}>
          {t('note.followedText', { path })}
        </Callout>
      )}
      {note.save?.kind === 'deleted' ? (
        <DeletedNote
          save={note.save}
          readOnly={note.readOnly}
          writeAgain={writeAgain}
          onFailed={(error) =>
            change(path, { problem: failureText(error), settledIn: isMissed(error) ? 'connection' : null })
          }
        />
      ) : (
        note.save && <SaveTrouble path={path} save={note.save} readOnly={note.readOnly} />
      )}
    </>
  );
}

/** Whether the list of the vault's files is there, and a note at this path could be. */
function useIsMissing(path: string): boolean {
  return useVaultEntries(({ entries }) => entries !== undefined && !entries.has(path) && /\.md$/i.test(path));
}

function SettleIn({ section }: { section: Extract<SettledIn, 'providers' | 'agents'> }) {
  const show = useLayout((layout) => layout.show);
  return (
    <Button size="s" onClick={() => show({ kind: 'settings', section })}>
      {t(`note.settleIn.${section}`)}
    </Button>
  );
}

/** Where a link leads to a note that nobody has written yet. */
function MissingNote({ path, onCreated }: { path: string; onCreated(): void }) {
  const create = useAction('vault.create', { once: true });
  const change = useOpenNotes((notes) => notes.change);
  // The list of files may know the note before this does, and take the button away.
  const make = () => {
    const making = create.mutateAsync({ path }).then((entry) => {
      change(path, { problem: null });
      onCreated();
      return entry;
    });
    useLayout
      .getState()
      .writeInMade(making)
      .catch(() => undefined);
  };
  return (
    <Callout
      title={t('note.missing')}
      actions={
        <Button size="s" look="primary" busy={create.isPending} onClick={make}>
          {t('note.create')}
        </Button>
      }
    >
      {create.error ? failureText(create.error) : t('note.missingText', { path })}
    </Callout>
  );
}

function MovedAway({ to }: { to: string }) {
  const openNote = useLayout((layout) => layout.openNote);
  return (
    <Callout
      tone="warn"
      title={t('note.movedTitle')}
      actions={
        <Button size="s" onClick={() => openNote(to)}>
          {t('note.openMoved')}
        </Button>
      }
    >
      {t('note.movedText', { path: to })}
    </Callout>
  );
}

type Deleted = Extract<SaveState, { kind: 'deleted' }>;

function DeletedNote({
  save,
  readOnly,
  writeAgain,
  onFailed,
}: {
  save: Deleted;
  readOnly: boolean;
  /** At which path it is then. */
  writeAgain(): Promise<{ path: string } | null>;
  onFailed(error: unknown): void;
}) {
  const [busy, setBusy] = useState(false);
  if (save.movedTo !== undefined) return <MovedAway to={save.movedTo} />;
  const write = () => {
    setBusy(true);
    const { writeInMade } = useLayout.getState();
    void writeInMade(writeAgain(), 'kept')
      .catch(onFailed)
      .finally(() => setBusy(false));
  };
  return (
    <Callout
      tone="warn"
      title={t('note.deletedTitle')}
      actions={
        <Button size="s" busy={busy} onClick={write}>
          {t('note.writeAgain')}
        </Button>
      }
    >
      {save.keptAs === undefined ? t('note.deletedText') : t('note.deletedKept', { path: save.keptAs })}
      {readOnly && ` ${t('note.deletedResting')}`}
    </Callout>
  );
}

/** Where the file could not be written: what happened, and the one thing to do. */
function SaveTrouble({
  path,
  save,
  readOnly,
}: {
  path: string;
  save: Exclude<SaveState, Deleted>;
  readOnly: boolean;
}) {
  const again = useAction('notes.save');
  const button = (words: string) => (
    <Button size="s" busy={again.isPending} onClick={() => again.mutate({ path })}>
      {words}
    </Button>
  );
  switch (save.kind) {
    case 'saved':
    case 'unsaved':
    case 'waiting':
      return null;
    case 'failed':
      return (
        <Callout tone="bad" title={t('note.notSaved')} actions={button(t('ui.retry'))}>
          {unsavedText(save, path)}
        </Callout>
      );
    case 'read-only':
      return readOnly ? (
        <Callout tone="neutral" title={t('note.readOnlyTitle')}>
          {unsavedText(save, path)} {t('note.readOnlyText')}
        </Callout>
      ) : (
        <Callout tone="bad" title={t('note.notSaved')} actions={button(t('ui.retry'))}>
          {unsavedText(save, path)}
        </Callout>
      );
  }
}
