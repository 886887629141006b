import type { EditorView } from '@codemirror/view';
import { ChevronDown, Play, Square, TriangleAlert } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import type { AnswerRun, NoteRun } from '../../../contract/chat';
import type { InputOf, OutputOf } from '../../../contract/define';
import type { SaveState } from '../../../contract/notes';
import type { AppOperations } from '../../../contract/operations';
import { useConnected } from '../../base/core/connected';
import { useCore, useCoreState } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { useTypedInCalls } from '../../base/keyboard/escape';
import { keyLabels } from '../../base/keyboard/keys';
import { useLayout } from '../../base/layout/layout';
import { useRested } from '../../base/parts/use-rested';
import { labelled } from '../../base/text/format';
import { isLive, type RunWords, runWords } from '../../base/text/run-words';
import { t } from '../../base/text/text';
import { Button, Kbd, Menu, type MenuItem, StatusDot, Tooltip } from '../../ui';
import { noteContext } from '../editor/context/note-context';
import { useNoteForm } from '../editor/context/note-form';
import { useOpenNote, useOpenNotes } from '../editor/context/open-notes';
import { mayHaveAttachments } from '../editor/turns/asked-place';
import { noPlaceToAsk } from './note-actions';
import { unsavedText } from './save-words';

const everything = {};

export interface NoteToolbarProps {
  path: string;
  run: NoteRun | null;
  view(): EditorView | null;
}

/** One thin line over the note: its name, how it is saved, who answers, and the button that asks. */
export function NoteToolbar({ path, run, view }: NoteToolbarProps) {
  const { save, ready, readOnly, problem } = useOpenNote(path);
  const answers = useAnswerer(path);
  const live = isLive(run);
  const typed = useTypedInCalls(({ paths }) => paths.has(path));
  const act = (name: 'answerOrRunBlock' | 'stop') => {
    const editor = view();
    if (!editor) return;
    const { actions } = editor.state.field(noteContext);
    if (name === 'stop') actions.stop();
    else actions.answerOrRunBlock(editor);
    editor.focus();
  };
  const slash = path.lastIndexOf('/');
  return (
    <header className="note-bar">
      <div className="note-name">
        {slash >= 0 && <span className="note-folder">{path.slice(0, slash).replaceAll('/', ' / ')} / </span>}
        <span className="note-title">{path.slice(slash + 1).replace(/\.md$/, '')}</span>
        {(ready || !problem) && <SaveMark path={path} save={save} ready={ready} readOnly={readOnly} />}
      </div>
      <RunStatus run={run} />
      {!live && <NotSent path={path} view={view} unavailable={answers?.unavailable ?? []} />}
      <Answerer path={path} run={run} answers={answers} view={view} />
      {live ? (
        <Button size="s" onClick={() => act('stop')}>
          <Square size={11} aria-hidden fill="currentColor" />
          {t('note.stop')}
          {!typed && <Kbd keys={keyLabels('Escape')} />}
        </Button>
      ) : (
        <AnswerButton
          path={path}
          locked={!ready || readOnly ? saveWords(save, path, ready, readOnly) : null}
          onPress={() => act('answerOrRunBlock')}
        />
      )}
    </header>
  );
}

function AnswerButton({
  path,
  locked,
  onPress,
}: {
  path: string;
  locked: SaveWords | null;
  onPress(): void;
}) {
  const connected = useConnected();
  const refusal = noPlaceToAsk(path) ?? (connected ? null : t('note.notConnected'));
  const button = (
    <Button
      size="s"
      look={refusal ? 'quiet' : 'primary'}
      disabled={locked !== null}
      title={locked ? [refusal ?? locked.label, locked.detail].filter(Boolean).join('\n') : undefined}
      aria-disabled={!connected || undefined}
      onClick={onPress}
    >
      <Play size={11} aria-hidden fill="currentColor" />
      {t('note.answer')}
      <Kbd keys={keyLabels('Mod-Enter')} />
    </Button>
  );
  return refusal && !locked ? <Tooltip text={refusal}>{button}</Tooltip> : button;
}

/** Who answers now, else who would. */
function Answerer({ path, run, answers, view }: NoteToolbarProps & { answers: Answers | null | undefined }) {
  const providers = (useCoreState('providers.list', everything) ?? []).filter(({ tagTaken }) => !tagTaken);
  const noted = useCoreState('agents.list', everything) ?? [];
  const agents = noted.filter(({ tag }) => tag !== null);
  const waits = noted.some(({ waitsFor }) => waitsFor);
  const chosen = useOpenNotes(({ answerers }) => answerers.get(path)) ?? null;
  const choose = useOpenNotes(({ setAnswerer }) => setAnswerer);
  const standard = providers.find(({ isDefault }) => isDefault);
  const expected = answers === undefined ? (chosen ?? standard?.tag) : null;
  const writing = useWriting(run, chosen);
  const name = writing?.tag ?? answers?.tag ?? expected ?? t('note.noModel');
  const model = writing ? writing.model : answers?.model;
  const provider = providers.find(({ tag }) => tag === name);
  const showForm = useNoteForm((forms) => forms.show);
  const show = useLayout((layout) => layout.show);
  const items: MenuItem[] = [
    {
      label: standard ? t('note.asNoteSaysElse', { name: standard.tag }) : t('note.asNoteSays'),
      checked: chosen === null,
      run: () => choose(path, null),
    },
    { kind: 'line' },
    { kind: 'heading', label: t('note.models') },
    ...providers.map((one) => ({
      label: one.tag,
      hint: one.model,
      checked: chosen === one.tag,
      run: () => choose(path, one.tag),
    })),
    ...(provider && provider.vendor !== 'demo'
      ? [
          {
            label: t('note.otherModel', { name: provider.tag }),
            run: () => showForm(path, { kind: 'change-model', provider: provider.id }),
          },
        ]
      : []),
    { label: t('note.addProvider'), run: () => show({ kind: 'settings', section: 'providers' }) },
    ...(agents.length > 0 || waits ? [{ kind: 'heading' as const, label: t('note.agents') }] : []),
    ...agents.map((one) => ({
      label: one.name,
      checked: chosen === one.name,
      run: () => choose(path, one.name),
    })),
    ...(waits
      ? [
          {
            label: t('note.agentsWait'),
            quiet: true,
            run: () => show({ kind: 'settings', section: 'agents' }),
          },
        ]
      : []),
  ];
  return (
    <Menu items={items} align="end" onChosen={() => view()?.focus()}>
      <Button size="s" look="quiet">
        <span className="visually-hidden">{t('note.whoAnswers')} </span>
        <span className="note-answerer">{name}</span>
        {model && <span className="note-model"> {model}</span>}
        <ChevronDown size={12} aria-hidden />
      </Button>
    </Menu>
  );
}

/** Who writes the answer that is under way, until the person chooses who answers next. */
function useWriting(run: NoteRun | null, chosen: string | null): AnswerRun | null {
  const runId = isLive(run) ? run.runId : null;
  const [begun, setBegun] = useState({ runId, chosen });
  // As it was when the run was seen first.
  if (begun.runId !== runId) setBegun({ runId, chosen });
  return isLive(run) && run.kind === 'answer' && begun.chosen === chosen ? run : null;
}

/** What the question at the cursor would be asked without, before it is asked: attachments, tools, a search of the web. */
function NotSent({
  path,
  view,
  unavailable,
}: Pick<NoteToolbarProps, 'path' | 'view'> & { unavailable: readonly string[] }) {
  const unsent = [...unavailable, ...useUnsent(path, view)];
  if (unsent.length === 0) return null;
  const words = t('note.notSent', { count: unsent.length });
  return (
    <Tooltip text={<span className="note-not-sent-list">{unsent.join('\n')}</span>}>
      <button type="button" className="note-not-sent" aria-label={labelled(words, unsent.join(' '))}>
        <TriangleAlert size={12} aria-hidden />
        {words}
      </button>
    </Tooltip>
  );
}

/** Which attachments of the question at the cursor would not be sent, wherever in it they stand. */
function useUnsent(path: string, view: NoteToolbarProps['view']): readonly string[] {
  const core = useCore();
  const ask = useCallback(
    async (question: Question, signal: AbortSignal) => {
      const state = view()?.state;
      if (!state || !mayHaveAttachments(state, question.at)) return [];
      return (await core.call('chat.preview', question, { signal, waits: true })).unsent;
    },
    [core, view],
  );
  return useAtCursor(path, ask) ?? [];
}

/** Who would answer at the cursor: the note's front matter and who spoke last have their say. Undefined: not yet known. */
function useAnswerer(path: string): Answers | null | undefined {
  const core = useCore();
  const ask = useCallback(
    (question: Question, signal: AbortSignal) =>
      core.call('chat.answerer', question, { signal, waits: true }),
    [core],
  );
  return useAtCursor(path, ask);
}

type Question = InputOf<AppOperations['chat.answerer']>;

/** What the core says of the question at the cursor, asked anew at each pause of typing and whenever somebody else may answer. */
function useAtCursor<T>(
  path: string,
  ask: (question: Question, signal: AbortSignal) => Promise<T>,
): T | undefined {
  const { editor, ready, touched } = useOpenNote(path);
  const rested = useRested(touched, 500);
  const chosen = useOpenNotes(({ answerers }) => answerers.get(path)) ?? null;
  const providers = useCoreState('providers.list', everything);
  const agents = useCoreState('agents.list', everything);
  const [result, setFound] = useState<T>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: any of these may change what is said.
  useEffect(() => {
    if (!editor || !ready) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const look = async () => {
      const place = await editor.place(signal);
      const now = await ask({ path, ...place, ...(chosen !== null && { tag: chosen }) }, signal);
      if (!signal.aborted) setFound(() => now);
    };
    look().catch(() => undefined);
    return () => leaving.abort();
  }, [ask, path, editor, ready, rested, chosen, providers, agents]);
  return result;
}

type Answers = NonNullable<OutputOf<AppOperations['chat.answerer']>>;

function SaveMark(props: { path: string; save: SaveState | null; ready: boolean; readOnly: boolean }) {
  const { path, save, ready, readOnly } = props;
  const connected = useConnected();
  const { tone, label, detail } = connected
    ? saveWords(save, path, ready, readOnly)
    : ({ tone: 'neutral', label: t('note.notConnected'), detail: undefined } as const);
  return (
    <Tooltip text={detail ?? label}>
      <span className={`note-save note-save-${tone}`} role="status">
        <StatusDot tone={tone} />
        {tone === 'good' ? <span className="visually-hidden">{label}</span> : label}
      </span>
    </Tooltip>
  );
}

interface SaveWords {
  readonly tone: 'good' | 'neutral' | 'warn' | 'bad';
  readonly label: string;
  readonly detail?: string;
}

function saveWords(save: SaveState | null, path: string, ready: boolean, readOnly: boolean): SaveWords {
  if (!ready || !save) return { tone: 'neutral', label: t('note.opening') };
  switch (save.kind) {
    case 'saved':
      return { tone: 'good', label: t('note.saved') };
    case 'unsaved':
      return { tone: 'neutral', label: t('note.saving') };
    case 'waiting':
      return { tone: 'warn', label: t('note.waiting'), detail: unsavedText(save, path) };
    case 'failed':
      return {
        tone: 'bad',
        label: t('note.notSaved'),
        detail: unsavedText(save, path),
      };
    case 'read-only':
      return readOnly
        ? { tone: 'warn', label: t('note.readOnly'), detail: unsavedText(save, path) }
        : { tone: 'bad', label: t('note.notSaved'), detail: unsavedText(save, path) };
    case 'deleted':
      return {
        tone: 'warn',
        label: t('note.deleted'),
        detail: save.keptAs ? t('note.deletedKept', { path: save.keptAs }) : t('note.deletedText'),
      };
  }
}

function RunStatus({ run }: { run: NoteRun | null }) {
  const connected = useConnected();
  const now = useNow(500, isLive(run) && connected);
  const words: RunWords | null = run && runWords(run, now);
  // Whether it still goes on, nobody knows.
  if (!words || (isLive(run) && !connected)) return null;
  return (
    <Tooltip text={words.detail}>
      <output className={`note-run note-run-${words.tone}`}>
        <span className="note-run-phase">{words.phase}</span>
        {words.facts.map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </output>
    </Tooltip>
  );
}
