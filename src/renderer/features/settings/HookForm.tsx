import { type FormEvent, useState } from 'react';
import type { HookEntry } from '../../../contract/hooks';
import { useAction } from '../../base/core/core';
import { DraftCancel, DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { useRemoved } from '../../base/drafts/removed-meanwhile';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, Field } from '../../ui';
import { HookBox, HookEventFields, HookRunFields } from './HookFields';
import {
  asWritten,
  draftOfHook,
  faultsOf,
  type HookDraft,
  type HookFault,
  hookDraftKey,
  hookOf,
} from './hook-draft';

const words: Record<HookFault, () => string> = {
  needed: () => t('providers.needed'),
  taken: () => t('hookForm.taken'),
  every: () => t('hookForm.badEvery'),
  tool: () => t('hookForm.toolIs'),
  json: () => t('providers.badParameters'),
  in: () => t('hookForm.inNeeded'),
  'in-schedule': () => t('hookForm.inSchedule'),
};

const labels = ({ kind }: HookDraft) => ({
  name: t('hookForm.name'),
  on: t('hookForm.on'),
  every: t('hookForm.every'),
  note: t('hookForm.note'),
  tool: t('hookForm.tool'),
  kind: t('hookForm.run'),
  which: t(`hookForm.which.${kind}`),
  arguments: t('hookForm.arguments'),
  in: t('hookForm.in'),
});

/** One form: what is wrong with it, what saves it, and its fields from top to bottom. */
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
  const form = useFormDraft(hookDraftKey(vault, { name }), draftOfHook(hook), []);
  useRemoved(form, removed, onDone);
  const draft = form.values;
  const [tried, setTried] = useState(false);
  const put = form.set;
  const faults = faultsOf(draft, others);
  const faultText = (field: keyof HookDraft) => {
    const fault = faults[field];
    // What is only missing is no mistake before somebody wants to save.
    return fault && (tried || fault === 'taken' || fault === 'json') ? words[fault]() : null;
  };
  const isGood = Object.keys(faults).length === 0;
  const before = hook && asWritten(hook);
  const store = () =>
    save
      .mutateAsync({
        hook: hookOf(draft, hook),
        replaces: hook?.name ?? null,
        ...(before && { seen: before }),
      })
      .then(
        () => {
          form.discard();
          onDone();
        },
        () => undefined,
      );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isGood && form.overtaken.length === 0) void store();
  };
  const saveMine = () => {
    form.keepMine();
    void store();
  };
  const fields = { draft, put, fault: faultText };

  return (
    <form className="settings-fields" onSubmit={submit}>
      <DraftNote
        draft={form}
        savesBelow
        removed={removed}
        labels={labels(draft)}
        onSave={isGood ? saveMine : undefined}
      />
      <Field label={t('hookForm.name')} error={faultText('name')}>
        {(ties) => <HookBox {...{ ties, draft, put }} field="name" />}
      </Field>
      <HookEventFields {...fields} />
      <HookRunFields {...fields} />
      <Field label={t('hookForm.in')} hint={t('hookForm.inHint')} error={faultText('in')}>
        {(ties) => <HookBox {...{ ties, draft, put }} field="in" mono />}
      </Field>
      {save.error && <Callout tone="bad">{failureText(save.error)}</Callout>}
      <div className="settings-actions">
        <DraftCancel draft={form} onLeave={onDone} />
        <Button type="submit" look="primary" busy={save.isPending}>
          {t(removed ? 'draft.saveAsNew' : 'ui.save')}
        </Button>
      </div>
    </form>
  );
}
