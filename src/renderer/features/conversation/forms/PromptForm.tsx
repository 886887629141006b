import type { EditorView } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { type Core, useCore, useCoreState } from '../../../base/core/core';
import { useForgetsMissed } from '../../../base/core/missed';
import { useFormDraft } from '../../../base/drafts/form-draft';
import { SuggestedField } from '../../../base/parts/SuggestedField';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { Field, Input, Spinner, TextArea } from '../../../ui';
import { type OfferedPrompt, promptLabel } from '../../editor/context/offers';
import { useOpenNotes } from '../../editor/context/open-notes';
import { insertTurns, type NewTurn } from '../../editor/insert/insert-turns';
import { FieldLabel, InsertForm } from './InsertForm';

export interface PromptFormProps {
  view: EditorView;
  path: string;
  offered: OfferedPrompt;
  selection: string;
  /** The person has changed their mind. */
  onClose(): void;
  onDone(): void;
}

type Values = Readonly<Record<string, string>>;

/** Milliseconds after which somebody who waits is told that there is something to wait for. */
const soon = 300;

/** Asks for what a prompt needs, then puts its turns into the note. One that needs nothing is not seen. One form from top to bottom. */
export function PromptForm({ view, path, offered, selection, onClose, onDone }: PromptFormProps) {
  const core = useCore();
  const assistant = useAssistantTag(path);
  const draft = useFormDraft<{ values: Values; selected: string }>(
    `prompt ${promptKey(offered)}`,
    { values: {}, selected: selection },
    [],
  );
  const { values, selected } = draft.values;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useForgetsMissed(() => setProblem(null));
  const [tried, setTried] = useState(false);
  const leaving = useRef(new AbortController());

  const fields = fieldsOf(offered);
  const asksSelection = offered.kind === 'template' && offered.prompt.takesSelection && selection === '';
  const needsNothing = fields.length === 0 && !asksSelection;
  const missing = (name: string) =>
    fields.some((field) => field.name === name && field.required) && !values[name]?.trim();
  const lacking = fields.some(({ name }) => missing(name)) || (asksSelection && selected.trim() === '');

  const use = async () => {
    setTried(true);
    if (lacking || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      const turns = await turnsOf(
        core,
        offered,
        { path, values, selection: selected },
        leaving.current.signal,
      );
      if (leaving.current.signal.aborted) return;
      if (turns.length === 0) return setProblem(t('prompt.empty'));
      draft.discard();
      onDone();
      // The dialog gives the focus back first.
      requestAnimationFrame(() => insertTurns(view, turns, assistant));
    } catch (error) {
      if (leaving.current.signal.aborted) return;
      failed(error);
      setProblem(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  const start = useRef(use);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const signal = new AbortController();
    leaving.current = signal;
    const timer = setTimeout(() => setLate(true), soon);
    if (needsNothing) void start.current();
    return () => {
      clearTimeout(timer);
      signal.abort();
    };
  }, [needsNothing]);
  if (needsNothing && problem === null && !isLate) return null;

  return (
    <InsertForm
      title={titleOf(offered)}
      description={offered.prompt.description}
      action={t(problem !== null && needsNothing ? 'ui.retry' : 'prompt.use')}
      busy={busy}
      draft={draft}
      problem={problem === null ? null : { title: t('prompt.failed'), text: problem }}
      onSubmit={() => void use()}
      onClose={onClose}
    >
      {asksSelection && (
        <Field
          label={<FieldLabel text={t('prompt.selection')} required />}
          hint={t('prompt.selectionHint')}
          error={tried && selected.trim() === '' ? t('prompt.missing') : null}
        >
          {(ties) => (
            <TextArea
              {...ties}
              value={selected}
              onChange={({ target }) => draft.set({ selected: target.value })}
            />
          )}
        </Field>
      )}
      {fields.map((field) => (
        <PromptField
          key={field.name}
          offered={offered}
          field={field}
          values={values}
          error={tried && missing(field.name) ? t('prompt.missing') : null}
          onChange={(value) => draft.set({ values: { ...values, [field.name]: value } })}
        />
      ))}
      {needsNothing && problem === null && <Spinner />}
    </InsertForm>
  );
}

interface PromptFieldProps {
  offered: OfferedPrompt;
  field: ReturnType<typeof fieldsOf>[number];
  values: Values;
  error: string | null;
  onChange(value: string): void;
}

/** An argument of a prompt; for a server's it may be known what could be written. */
function PromptField({ offered, field, values, error, onChange }: PromptFieldProps) {
  const { name, title, description: hint, required } = field;
  const label = <FieldLabel text={title} required={required} />;
  return offered.kind === 'server' ? (
    <SuggestedField
      serverId={offered.server.id}
      of={{ kind: 'prompt', name: offered.prompt.name }}
      {...{ name, label, hint, error, values, onChange }}
    />
  ) : (
    <Field label={label} hint={hint} error={error}>
      {(ties) => (
        <Input {...ties} value={values[name] ?? ''} onChange={({ target }) => onChange(target.value)} />
      )}
    </Field>
  );
}

const promptKey = (offered: OfferedPrompt) =>
  offered.kind === 'server' ? `${offered.server.id} ${offered.prompt.name}` : offered.prompt.path;

const titleOf = (offered: OfferedPrompt) =>
  offered.kind === 'server' ? offered.prompt.title : promptLabel(offered);

const fieldsOf = (offered: OfferedPrompt) =>
  offered.kind === 'server'
    ? offered.prompt.arguments
    : offered.prompt.arguments.map((one) => ({ ...one, title: one.name, required: true }));

async function turnsOf(
  core: Core,
  offered: OfferedPrompt,
  input: { path: string; values: Values; selection: string },
  signal: AbortSignal,
): Promise<NewTurn[]> {
  const filled = Object.fromEntries(Object.entries(input.values).filter(([, value]) => value.trim() !== ''));
  if (offered.kind === 'template') {
    const { text } = await core.call(
      'agents.fillPrompt',
      { path: offered.prompt.path, note: input.path, selection: input.selection, arguments: filled },
      { signal },
    );
    return [{ role: 'user', text, isOwn: true }];
  }
  const request = { serverId: offered.server.id, name: offered.prompt.name, arguments: filled };
  return (await core.call('chat.promptTurns', request, { signal })).turns;
}

/** Who is taken to have spoken where a prompt has words of a model. */
function useAssistantTag(path: string): string {
  const providers = useCoreState('providers.list', {}) ?? [];
  const chosen = useOpenNotes(({ answerers }) => answerers.get(path));
  const isTag = chosen !== undefined && /^[\p{L}\p{N}_\-/]+$/u.test(chosen);
  return isTag
    ? chosen
    : (providers.find(({ isDefault }) => isDefault)?.tag ?? providers[0]?.tag ?? 'Assistant');
}
