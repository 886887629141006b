import './note.css';
import './popups.css';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useCore } from '../../app/core';
import { useLayout } from '../../app/layout';
import { Callout, IconButton } from '../../ui';
import { insertBlock } from './insert-block';
import { NoteToolbar } from './NoteToolbar';
import { type EditorSession, goTo, openNoteSession } from './note-session';
import { useOpenNote, useOpenNotes } from './open-notes';
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

  const change = useOpenNotes((notes) => notes.change);
  const dismiss = (what: 'problem' | 'conflict') => (
    <IconButton icon={X} label="Dismiss" size="s" onClick={() => change(path, { [what]: null })} />
  );
  return (
    <section className="note" aria-label={path} aria-busy={!note.ready}>
      <NoteToolbar path={path} run={run} view={() => session.current?.view ?? null} />
      {note.problem && (
        <Callout tone="bad" actions={dismiss('problem')}>
          {note.problem}
        </Callout>
      )}
      {note.conflict && (
        <Callout tone="warn" title="Both versions were kept" actions={dismiss('conflict')}>
          {note.conflict}
        </Callout>
      )}
      <div ref={host} className="note-text" />
      {approvals}
    </section>
  );
}
