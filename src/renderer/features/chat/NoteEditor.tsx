import './note.css';
import './popups.css';
import { X } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useRef } from 'react';
import type { SaveState } from '../../../contract/notes';
import { useAction, useCore } from '../../app/core';
import { useLayout } from '../../app/layout';
import { Button, Callout, IconButton } from '../../ui';
import { insertBlock } from './insert-block';
import { NoteToolbar } from './NoteToolbar';
import { type EditorSession, goTo, openNoteSession } from './note-session';
import { useOpenNote, useOpenNotes } from './open-notes';
import { useNoteCommands } from './use-note-commands';
import { useNoteKnowledge, useRunOf } from './use-note-knowledge';

export interface NoteEditorProps {
  path: string;
  /** Stands between the text and the bottom edge: what waits for an answer in this note. */
  approvals?: ReactNode;
}

export function NoteEditor({ path, approvals }: NoteEditorProps) {
  const core = useCore();
  const host = useRef<HTMLDivElement>(null);
  const session = useRef<EditorSession | null>(null);
  const knowledge = useNoteKnowledge();
  const run = useRunOf(path);
  const note = useOpenNote(path);
  const latest = useRef({ knowledge, run });
  latest.current = { knowledge, run };

  useEffect(() => {
    if (!host.current) return;
    const opened = openNoteSession({
      core,
      path,
      parent: host.current,
      label: path,
      renamed: (to) => useLayout.getState().renamed(path, to),
    });
    const { view } = opened;
    session.current = opened;
    opened.know(latest.current.knowledge);
    opened.showRun(latest.current.run);
    const unregister = useLayout.getState().registerEditor({
      path,
      insertBlock: (text) => insertBlock(view, text),
      focus: () => view.focus(),
      goTo: (offset) => goTo(view, offset),
    });
    return () => {
      unregister();
      opened.close();
      session.current = null;
    };
  }, [core, path]);

  useEffect(() => session.current?.know(knowledge), [knowledge]);
  useEffect(() => session.current?.showRun(run), [run]);

  const view = useCallback(() => session.current?.view ?? null, []);
  useNoteCommands(view);

  const failedToOpen = note.problem !== null && !note.ready;
  const change = useOpenNotes((notes) => notes.change);
  const dismiss = (what: 'problem' | 'conflict') => (
    <IconButton icon={X} label="Dismiss" size="s" onClick={() => change(path, { [what]: null })} />
  );
  return (
    <section className="note" aria-label={path} aria-busy={!note.ready}>
      <NoteToolbar path={path} run={run} view={view} />
      {note.problem && (
        <Callout
          tone="bad"
          title={failedToOpen && 'This note cannot be shown'}
          actions={!failedToOpen && dismiss('problem')}
        >
          {note.problem}
        </Callout>
      )}
      {note.conflict && (
        <Callout tone="warn" title="Both versions were kept" actions={dismiss('conflict')}>
          {note.conflict}
        </Callout>
      )}
      {note.save && <SaveTrouble path={path} save={note.save} readOnly={note.readOnly} />}
      <div ref={host} className="note-text" hidden={failedToOpen} />
      {approvals}
    </section>
  );
}

/** Where the file could not be written, or is gone: what happened, and the one thing to do. */
function SaveTrouble({ path, save, readOnly }: { path: string; save: SaveState; readOnly: boolean }) {
  const again = useAction('notes.save');
  if (save.kind === 'saved' || save.kind === 'unsaved') return null;
  // Nothing was typed into a note that was read-only from the beginning.
  if (save.kind === 'read-only' && readOnly) return null;
  const button = (
    <Button size="s" busy={again.isPending} onClick={() => again.mutate({ path })}>
      {save.kind === 'deleted' ? 'Write it again' : 'Try again'}
    </Button>
  );
  return save.kind === 'deleted' ? (
    <Callout tone="warn" title="The file was deleted" actions={button}>
      Another program removed it from the folder. The text here is kept until you close the note.
    </Callout>
  ) : (
    <Callout tone="bad" title="Not saved" actions={button}>
      {save.kind === 'failed' ? save.message : save.reason}
    </Callout>
  );
}
