import { type FormEvent, useState } from 'react';
import { type HookEntry, HookEvent } from '../../../contract/hooks';
import { useAction, useCoreState } from '../../base/core/core';
import { DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/failure';
import { t } from '../../base/text/text';
import { Button, Callout, Field, Input, Segments, Select, TextArea } from '../../ui';
import {
  asWritten,
  draftOfHook,
  faultsOf,
  type HookDraft,
  type HookFault,
  hookDraftKey,
  hookOf,
  ofCalls,
} from './hook-draft';

const kinds = ['tool', 'prompt', 'agent'] as const;

const words: Record<HookFault, () => string> = {
  needed: () => t('providers.needed'),
  taken: () => t('hookForm.taken'),
  every: () => t('hookForm.badEvery'),
  tool: () => t('hookForm.toolIs'),
  json: () => t('providers.badParameters'),
  in: () => t('hookForm.inNeeded'),
  'in-schedule': () => t('hookForm.inSchedule'),
};

export function HookForm({
  name,
  hook: last,
  removed: isGone,
  others,
  onDone,
}: {
  name: string;
  hook: HookEntry | null;
  removed: boolean;
  others: readonly string[];
  onDone(): void;
}) {
  const save = useAction('hooks.save');
  // Saved under another name it is there no more, either.
  const removed = isGone && !save.isPending;
  const hook = removed ? null : last;
  const vault = useLayout((layout) => layout.vault);
  const kept = useFormDraft(hookDraftKey(vault, { name }), draftOfHook(hook), []);
  useRemoved(kept, removed, onDone);
  const draft = kept.values;
  const [tried, setTried] = useState(false);
  const offered = useOffered(draft);
  const put = kept.set;
  const faults = faultsOf(draft, others);
  const said = (field: keyof HookDraft) => {
    const fault = faults[field];
    // What is only missing is no mistake before somebody wants to save.
    return fault && (tried || fault === 'taken' || fault === 'json') ? words[fault]() : null;
  };
  const isGood = Object.keys(faults).length === 0;
  const seen = hook && asWritten(hook);
  const store = () =>
    save
      .mutateAsync({
        hook: hookOf(draft, hook),
        replaces: hook?.name ?? null,
        ...(seen && { seen }),
      })
      .then(
        () => {
          kept.discard();
          onDone();
        },
        () => undefined,
      );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isGood && kept.overtaken.length === 0) void store();
  };
  const saveMine = () => {
    kept.keepMine();
    void store();
  };
  const box =
    (field: 'name' | 'every' | 'note' | 'tool' | 'in', more: { mono?: boolean; list?: string } = {}) =>
    (ties: { id: string }) => (
      <Input
        {...ties}
        {...more}
        value={draft[field]}
        onChange={(event) => put({ [field]: event.target.value })}
      />
    );

  return (
    <form className="settings-fields" onSubmit={submit}>
      <DraftNote
        draft={kept}
        savesBelow
        removed={removed}
        labels={{
          name: t('hookForm.name'),
          on: t('hookForm.on'),
          every: t('hookForm.every'),
          note: t('hookForm.note'),
          tool: t('hookForm.tool'),
          kind: t('hookForm.run'),
          which: t(`hookForm.which.${draft.kind}`),
          arguments: t('hookForm.arguments'),
          in: t('hookForm.in'),
        }}
        onSave={isGood ? saveMine : undefined}
      />
      <Field label={t('hookForm.name')} error={said('name')}>
        {box('name')}
      </Field>
      <Field label={t('hookForm.on')}>
        {(ties) => (
          <Select
            {...ties}
            value={draft.on}
            options={HookEvent.options.map((on) => ({ value: on, label: t(`hooks.on.${on}`) }))}
            onChange={(on) => put({ on })}
          />
        )}
      </Field>
      {draft.on === 'schedule' ? (
        <Field label={t('hookForm.every')} hint={t('hookForm.everyHint')} error={said('every')}>
          {box('every', { mono: true })}
        </Field>
      ) : (
        <Field label={t('hookForm.note')} hint={t('hookForm.noteHint')}>
          {box('note', { mono: true })}
        </Field>
      )}
      {ofCalls(draft.on) && (
        <Field label={t('hookForm.tool')} hint={t('hookForm.toolHint')}>
          {box('tool', { mono: true })}
        </Field>
      )}
      <Field row label={t('hookForm.run')}>
        {() => (
          <Segments
            aria-label={t('hookForm.run')}
            value={draft.kind}
            options={kinds.map((kind) => ({ value: kind, label: t(`hookForm.kind.${kind}`) }))}
            onChange={(kind) => put({ kind, which: '' })}
          />
        )}
      </Field>
      <Field
        label={t(`hookForm.which.${draft.kind}`)}
        hint={offered.about && t(offered.about)}
        error={said('which')}
      >
        {(ties) => (
          <>
            <Input
              {...ties}
              mono={draft.kind === 'tool'}
              list="hook-which"
              value={draft.which}
              onChange={(event) => put({ which: event.target.value })}
            />
            <datalist id="hook-which">
              {offered.names.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      {draft.kind === 'tool' && (
        <Field label={t('hookForm.arguments')} hint={t('hookForm.argumentsHint')} error={said('arguments')}>
          {(ties) => (
            <TextArea
              {...ties}
              mono
              rows={4}
              value={draft.arguments}
              placeholder={'{ "path": "Log.md", "text": "{{note}}" }'}
              onChange={(event) => put({ arguments: event.target.value })}
            />
          )}
        </Field>
      )}
      <Field label={t('hookForm.in')} hint={t('hookForm.inHint')} error={said('in')}>
        {box('in', { mono: true })}
      </Field>
      {save.error && <Callout tone="bad">{failureText(save.error)}</Callout>}
      <div className="settings-actions">
        <DraftCancel draft={kept} onLeave={onDone} />
        <Button type="submit" look="primary" busy={save.isPending}>
          {t(removed ? 'draft.saveAsNew' : 'ui.save')}
        </Button>
      </div>
    </form>
  );
}

interface Offered {
  /** The names that can be chosen. */
  readonly names: readonly string[];
  /** What is to be known of the tool that is written there. */
  readonly about: 'hookForm.toolIs' | 'hookForm.notAllowed' | 'hookForm.unknownTool' | null;
}

function useOffered({ kind, which }: HookDraft): Offered {
  const tools = useCoreState('tools.catalog', {}) ?? [];
  const prompts = useCoreState('agents.prompts', {}) ?? [];
  const agents = useCoreState('agents.list', {}) ?? [];
  switch (kind) {
    case 'tool': {
      const named = tools.map((tool) => ({ ...tool, full: `${tool.serverName}/${tool.name}` }));
      const chosen = named.find(({ full }) => full === which.trim());
      // Its server may only be off.
      const isWhole = /^[^/]+\/./.test(which.trim());
      return {
        names: named.map(({ full }) => full),
        about: chosen
          ? chosen.approval === 'allow'
            ? 'hookForm.toolIs'
            : 'hookForm.notAllowed'
          : isWhole
            ? 'hookForm.unknownTool'
            : 'hookForm.toolIs',
      };
    }
    case 'prompt':
      return { names: prompts.map(({ name }) => name), about: null };
    case 'agent':
      // One whose tag means something else cannot be asked.
      return { names: agents.flatMap(({ name, tag }) => (tag === null ? [] : [name])), about: null };
  }
}
