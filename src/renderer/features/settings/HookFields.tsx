import { HookEvent } from '../../../contract/hooks';
import { t } from '../../base/text/text';
import { Field, Input, Segments, Select, TextArea } from '../../ui';
import { type HookDraft, ofCalls } from './hook-draft';
import { useHookChoices } from './use-hook-choices';

const kinds = ['tool', 'prompt', 'agent'] as const;

export interface HookFieldsProps {
  draft: HookDraft;
  put(changes: Partial<HookDraft>): void;
  /** What is wrong with it, in words. */
  fault(field: keyof HookDraft): string | null;
}

/** When a hook runs. */
export function HookEventFields({ draft, put, fault }: HookFieldsProps) {
  return (
    <>
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
        <Field label={t('hookForm.every')} hint={t('hookForm.everyHint')} error={fault('every')}>
          {(ties) => <HookBox {...{ ties, draft, put }} field="every" mono />}
        </Field>
      ) : (
        <Field label={t('hookForm.note')} hint={t('hookForm.noteHint')}>
          {(ties) => <HookBox {...{ ties, draft, put }} field="note" mono />}
        </Field>
      )}
      {ofCalls(draft.on) && (
        <Field label={t('hookForm.tool')} hint={t('hookForm.toolHint')}>
          {(ties) => <HookBox {...{ ties, draft, put }} field="tool" mono />}
        </Field>
      )}
    </>
  );
}

/** What it runs, and with what. */
export function HookRunFields({ draft, put, fault }: HookFieldsProps) {
  const offered = useHookChoices(draft);
  return (
    <>
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
        error={fault('which')}
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
        <Field
          label={t('hookForm.arguments')}
          hint={t('hookForm.argumentsHint', { note: '{{note}}', date: '{{date}}', vault: '{{vault}}' })}
          error={fault('arguments')}
        >
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
    </>
  );
}

export interface HookBoxProps extends Pick<HookFieldsProps, 'draft' | 'put'> {
  ties: { id: string };
  field: 'name' | 'every' | 'note' | 'tool' | 'in';
  mono?: boolean;
}

export function HookBox({ ties, draft, put, field, mono = false }: HookBoxProps) {
  return (
    <Input
      {...ties}
      mono={mono}
      value={draft[field]}
      onChange={(event) => put({ [field]: event.target.value })}
    />
  );
}
