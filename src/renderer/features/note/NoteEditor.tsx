import './note.css';
import './text.css';
import './blocks.css';
import './cards.css';
import './popups.css';
import { type ReactNode, useEffect, useRef } from 'react';
import { useConnected } from '../../base/core/connected';
import { useNoteToCome } from '../../base/keyboard/note-to-come';
import { isLive } from '../../base/text/run-words';
import { t } from '../../base/text/text';
import { Callout } from '../../ui';
import { ComparePanel } from '../conversation/compare/ComparePanel';
import { NoteForms } from '../conversation/forms/NoteForms';
import { type OpenNote, useOpenNote, useOpenNotes } from '../editor/context/open-notes';
import { NoteNotices } from './NoteNotices';
import { NoteToolbar } from './NoteToolbar';
import { NoteViews, type ShownView } from './NoteViews';
import { useArrival, useInsertion } from './use-arrival';
import { useNoteCommands } from './use-note-commands';
import { useNoteSession } from './use-note-session';

export interface NoteEditorProps {
  path: string;
  /** Stands between the text and the bottom edge: what waits for an answer in this note. */
  approvals?: ReactNode;
  /** Draws the view of a call. */
  showView?(page: ShownView): ReactNode;
}

export function NoteEditor({ path, approvals, showView }: NoteEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const note = useOpenNote(path);
  const connected = useConnected();
  const { editor, view, run, tags, openAgain, writeAgain } = useNoteSession(path, host, note);
  const failedToOpen = note.problem !== null && !note.ready;
  useArrival(path, view, note, failedToOpen);
  useInsertion(path, note, failedToOpen);
  useSettledProblem(path, note, { connected, isAnswering: isLive(run) });
  useNoteCommands(view, tags);

  const isAway = !note.ready && !connected;
  const isTypedFor = useNoteToCome(({ target }) => target?.path === path);
  return (
    <section className="note" aria-label={path} aria-busy={!note.ready}>
      <NoteToolbar path={path} run={run} view={view} />
      <NoteNotices
        path={path}
        note={note}
        failedToOpen={failedToOpen}
        onCreated={openAgain}
        writeAgain={writeAgain}
      />
      <ComparePanel path={path} run={run} view={view} />
      {isAway && !failedToOpen && (
        <Callout tone="neutral">{t(isTypedFor ? 'note.notYetHereTyped' : 'note.notYetHere')}</Callout>
      )}
      <div ref={host} className="note-text" hidden={failedToOpen || isAway} />
      {editor && showView && <NoteViews view={editor} show={showView} />}
      {approvals}
      <NoteForms path={path} view={view} />
    </section>
  );
}

/** What waited for the connection, or for the end of an answer, is no longer said once that is there. */
function useSettledProblem(
  path: string,
  note: OpenNote,
  { connected, isAnswering }: { readonly connected: boolean; readonly isAnswering: boolean },
): void {
  const change = useOpenNotes((notes) => notes.change);
  const isSettled =
    (connected && note.settledIn === 'connection') || (!isAnswering && note.settledIn === 'answer');
  useEffect(() => {
    if (isSettled) change(path, { problem: null, settledIn: null });
  }, [isSettled, path, change]);
}
