import './note.css';
import './text.css';
import './blocks.css';
import './cards.css';
import './popups.css';
import type { EditorView } from '@codemirror/view';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { SaveState } from '../../../contract/notes';
import { useConnected } from '../../base/core/connected';
import { useAction, useCore } from '../../base/core/core';
import { isMissed } from '../../base/core/missed';
import { useNoteToCome } from '../../base/keyboard/note-to-come';
import { afterComposing } from '../../base/layout/composing';
import { useLayout } from '../../base/layout/layout';
import { useVaultEntries } from '../../base/layout/vault-entries';
import { failureText } from '../../base/text/failure';
import { t, useLanguage } from '../../base/text/text';
import { Button, Callout, IconButton } from '../../ui';
import { ComparePanel } from '../conversation/compare/ComparePanel';
import {
  useLeads,
  useLoneCalls,
  useNoteKnowledge,
  useRestorable,
  useRunOf,
  useWaiting,
} from '../conversation/context/use-note-knowledge';
import { NoteForms } from '../conversation/forms/NoteForms';
import { type SettledIn, useOpenNote, useOpenNotes } from '../editor/context/open-notes';
import { insertBlock, insertForeignText } from '../editor/insert/insert-block';
import { addTurns } from '../editor/insert/insert-turns';
import { hasPlace } from './kept-places';
import { NoteToolbar } from './NoteToolbar';
import { NoteViews, type ShownView } from './NoteViews';
import { type EditorSession, goTo, openNoteSession } from './note-session';
import { pressIn, typeIn } from './press-in';
import { isSaid, unsavedText } from './save-words';
import { useNoteCommands } from './use-note-commands';

export interface NoteEditorProps {
  path: string;
  /** Stands between the text and the bottom edge: what waits for an answer in this note. */
  approvals?: ReactNode;
  /** Draws the view of a call. */
  showView?(shown: ShownView): ReactNode;
}

export function NoteEditor({ path, approvals, showView }: NoteEditorProps) {
  const core = useCore();
  const host = useRef<HTMLDivElement>(null);
  const session = useRef<EditorSession | null>(null);
  const [shown, setShown] = useState<EditorView | null>(null);
  const [created, setCreated] = useState(0);
  const knowledge = useNoteKnowledge();
  const run = useRunOf(path);
  const loneCalls = useLoneCalls(path);
  const waiting = useWaiting(path);
  const restorable = useRestorable(path);
  const connected = useConnected();
  const leads = useLeads(path);
  const note = useOpenNote(path);
  const latest = useRef({ knowledge, run, loneCalls, waiting, restorable, leads, connected });
  latest.current = { knowledge, run, loneCalls, waiting, restorable, leads, connected };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a moved note keeps its editor; one that was missing is opened once it was made.
  useEffect(() => {
    if (!host.current) return;
    const opened = openNoteSession({
      core,
      path,
      parent: host.current,
      renamed: useLayout.getState().renamed,
    });
    const { view } = opened;
    session.current = opened;
    setShown(view);
    const { knowledge: known, run: lastRun, ...more } = latest.current;
    opened.know({ ...known, ...more });
    opened.showRun(lastRun);
    return () => {
      setShown(null);
      opened.close();
      session.current = null;
    };
  }, [core, created]);
  // The other effects end only once the editor is out of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as long as the session that it is about.
  useLayoutEffect(() => () => session.current?.keepPlace(), [core, created]);

  useEffect(() => session.current?.moved(path), [path]);
  useEffect(() => {
    if (!shown || !note.ready) return;
    return useLayout.getState().registerEditor({
      path,
      readOnly: note.readOnly,
      insertBlock: (text) => insertBlock(shown, text),
      insertForeignText: (text) => insertForeignText(shown, text),
      insertTurns: (turns, assistant) => addTurns(shown, turns, assistant),
      focus: () => shown.focus(),
      press: (key) => pressIn(shown, key),
      type: (text, caret) => typeIn(shown, text, caret),
      goTo: (offset) => goTo(shown, offset),
    });
  }, [shown, path, note.ready, note.readOnly]);

  useEffect(() => session.current?.know(knowledge), [knowledge]);
  useEffect(() => session.current?.know({ loneCalls }), [loneCalls]);
  useEffect(() => session.current?.know({ waiting }), [waiting]);
  useEffect(() => session.current?.know({ restorable }), [restorable]);
  useEffect(() => session.current?.know({ leads }), [leads]);
  useEffect(() => session.current?.know({ connected }), [connected]);
  useEffect(() => session.current?.showRun(run), [run]);

  const language = useLanguage((state) => state.language);
  const spoken = useRef(language);
  useEffect(() => {
    if (spoken.current !== language) session.current?.translate();
    spoken.current = language;
  }, [language]);

  const wanted = useLayout((layout) => (layout.wanted?.path === path ? layout.wanted.at : null));
  useEffect(() => {
    const view = session.current?.view;
    if (!wanted || !note.ready || !view) return;
    // A dialog that is closed lets go of the focus first.
    const arrive = () => {
      if (wanted === 'end' || (wanted === 'kept-or-end' && !hasPlace(path)))
        view.dispatch({ selection: { anchor: view.state.doc.length }, scrollIntoView: true });
      view.focus();
      useLayout.getState().arrived();
    };
    let callOff: (() => void) | null = null;
    const frame = requestAnimationFrame(() => {
      callOff = afterComposing(arrive);
    });
    return () => {
      cancelAnimationFrame(frame);
      callOff?.();
    };
  }, [wanted, path, note.ready]);

  const failedToOpen = note.problem !== null && !note.ready;
  useEffect(() => {
    if (!wanted || !failedToOpen) return;
    // One that is renamed while it opens is there a moment later.
    const timer = setTimeout(() => useLayout.getState().arrived(), 1_000);
    return () => clearTimeout(timer);
  }, [wanted, failedToOpen]);
  const change = useOpenNotes((notes) => notes.change);
  const insertion = useLayout((layout) => (layout.insertion?.path === path ? layout.insertion : null));
  useEffect(() => {
    if (insertion && failedToOpen) useLayout.getState().endInsertion();
    if (!insertion || !note.ready) return;
    // The place where the person was is taken up first.
    const frame = requestAnimationFrame(() => {
      const { editor, endInsertion } = useLayout.getState();
      if (editor?.path !== path) return;
      endInsertion();
      if (editor.readOnly) change(path, { problem: t('note.notInserted'), settledIn: null });
      else insertion.put(editor);
    });
    return () => cancelAnimationFrame(frame);
  }, [insertion, path, note.ready, failedToOpen, change]);

  const isSettled = connected && note.settledIn === 'connection';
  useEffect(() => {
    if (isSettled) change(path, { problem: null, settledIn: null });
  }, [isSettled, path, change]);

  const view = useCallback(() => session.current?.view ?? null, []);
  useNoteCommands(view, knowledge.tags);

  const isAway = !note.ready && !connected;
  const isTypedFor = useNoteToCome(({ shown }) => shown?.path === path);
  // What is not acknowledged because it could not be saved is said by SaveTrouble.
  const isSaidBelow = note.save?.kind === 'failed' && isSaid(note.problem, note.save, path);
  const isMissing = useIsMissing(path);
  const show = useLayout((layout) => layout.show);
  const dismiss = (what: 'problem' | 'conflict' | 'movedBy') => (
    <IconButton icon={X} label={t('ui.dismiss')} size="s" onClick={() => change(path, { [what]: null })} />
  );
  return (
    <section className="note" aria-label={path} aria-busy={!note.ready}>
      <NoteToolbar path={path} run={run} view={view} />
      {failedToOpen && isMissing && (
        <MissingNote path={path} onCreated={() => setCreated((before) => before + 1)} />
      )}
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
          writeAgain={async () => (await session.current?.writeAgain()) ?? null}
          onFailed={(error) =>
            change(path, { problem: failureText(error), settledIn: isMissed(error) ? 'connection' : null })
          }
        />
      ) : (
        note.save && <SaveTrouble path={path} save={note.save} readOnly={note.readOnly} />
      )}
      <ComparePanel path={path} run={run} view={view} />
      {isAway && !failedToOpen && (
        <Callout tone="neutral">{t(isTypedFor ? 'note.notYetHereTyped' : 'note.notYetHere')}</Callout>
      )}
      <div ref={host} className="note-text" hidden={failedToOpen || isAway} />
      {shown && showView && <NoteViews view={shown} show={showView} />}
      {approvals}
      <NoteForms path={path} view={view} />
    </section>
  );
}

/** Whether the list of the vault's files is there, and a note at this path could be. */
function useIsMissing(path: string): boolean {
  return useVaultEntries(({ entries }) => entries !== undefined && !entries.has(path) && /\.md$/i.test(path));
}

/** Where a link leads to a note that nobody has written yet. */
function SettleIn({ section }: { section: Extract<SettledIn, 'providers' | 'agents'> }) {
  const show = useLayout((layout) => layout.show);
  return (
    <Button size="s" onClick={() => show({ kind: 'settings', section })}>
      {t(`note.settleIn.${section}`)}
    </Button>
  );
}

function MissingNote({ path, onCreated }: { path: string; onCreated(): void }) {
  const create = useAction('vault.create', { once: true });
  const change = useOpenNotes((notes) => notes.change);
  // The list of files may know the note before this does, and take the button away.
  const make = () => {
    const making = create.mutateAsync({ path }).then((made) => {
      change(path, { problem: null });
      onCreated();
      return made;
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
