import type { EditorView } from '@codemirror/view';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useConnected } from '../../base/core/connected';
import { useCore } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { useLanguage } from '../../base/text/text';
import {
  useLeads,
  useLoneCalls,
  useNoteKnowledge,
  useRestorable,
  useRunOf,
  useToolLines,
  useWaiting,
} from '../conversation/context/use-note-knowledge';
import type { OpenNote } from '../editor/context/open-notes';
import { insertBlock, insertForeignText } from '../editor/insert/insert-block';
import { addTurns } from '../editor/insert/insert-turns';
import { type EditorSession, goTo, openNoteSession } from './note-session';
import { pressIn, typeIn } from './press-in';

/**
 * Opens the session of a note in `host`, and tells it whatever changes around it, for as long as the component is there. One list
 * of effects: they run in the order in which they stand.
 */
export function useNoteSession(path: string, host: RefObject<HTMLDivElement | null>, note: OpenNote) {
  const core = useCore();
  const session = useRef<EditorSession | null>(null);
  const [editor, setEditor] = useState<EditorView | null>(null);
  const [created, setCreated] = useState(0);
  const knowledge = useNoteKnowledge();
  const run = useRunOf(path);
  const loneCalls = useLoneCalls(path);
  const waiting = useWaiting(path);
  const restorable = useRestorable(path);
  const toolLines = useToolLines(path);
  const connected = useConnected();
  const leads = useLeads(path);
  const latest = useRef({ knowledge, run, loneCalls, waiting, restorable, toolLines, leads, connected });
  latest.current = { knowledge, run, loneCalls, waiting, restorable, toolLines, leads, connected };

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
    setEditor(view);
    const { knowledge: lastKnowledge, run: lastRun, ...more } = latest.current;
    opened.know({ ...lastKnowledge, ...more });
    opened.showRun(lastRun);
    return () => {
      setEditor(null);
      opened.close();
      session.current = null;
    };
  }, [core, created]);
  // The other effects end only once the editor is out of the page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as long as the session that it is about.
  useLayoutEffect(() => () => session.current?.keepPlace(), [core, created]);

  useEffect(() => session.current?.moved(path), [path]);
  useEffect(() => {
    if (!editor || !note.ready) return;
    return useLayout.getState().registerEditor({
      path,
      readOnly: note.readOnly,
      insertBlock: (text) => insertBlock(editor, text),
      insertForeignText: (text) => insertForeignText(editor, text),
      insertTurns: (turns, assistant) => addTurns(editor, turns, assistant),
      focus: () => editor.focus(),
      press: (key) => pressIn(editor, key),
      type: (text, caret) => typeIn(editor, text, caret),
      goTo: (offset) => goTo(editor, offset),
    });
  }, [editor, path, note.ready, note.readOnly]);

  useEffect(() => session.current?.know(knowledge), [knowledge]);
  useEffect(() => session.current?.know({ loneCalls }), [loneCalls]);
  useEffect(() => session.current?.know({ waiting }), [waiting]);
  useEffect(() => session.current?.know({ restorable }), [restorable]);
  useEffect(() => session.current?.know({ toolLines }), [toolLines]);
  useEffect(() => session.current?.know({ leads }), [leads]);
  useEffect(() => session.current?.know({ connected }), [connected]);
  useEffect(() => session.current?.showRun(run), [run]);

  const language = useLanguage((state) => state.language);
  const spoken = useRef(language);
  useEffect(() => {
    if (spoken.current !== language) session.current?.translate();
    spoken.current = language;
  }, [language]);

  return {
    /** The editor that is drawn in the page. */
    editor,
    view: useCallback(() => session.current?.view ?? null, []),
    run,
    tags: knowledge.tags,
    openAgain: () => setCreated((before) => before + 1),
    writeAgain: async () => (await session.current?.writeAgain()) ?? null,
  };
}
