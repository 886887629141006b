import type { ReactNode } from 'react';
import { DraftCancel, DraftNote } from '../../../base/drafts/DraftNote';
import type { FormDraft } from '../../../base/drafts/form-draft';
import { t } from '../../../base/text/text';
import { Button, Callout, Dialog } from '../../../ui';

export interface InsertFormProps {
  title: string;
  description: string;
  /** The words on the button, which Enter presses too. */
  action: string;
  busy: boolean;
  /** What is filled in. */
  draft: FormDraft<unknown>;
  problem: { title: string; text: string } | null;
  onSubmit(): void;
  onClose(): void;
  children: ReactNode;
}

/** Asks for what is needed before something is put into the note. */
export function InsertForm({
  title,
  description,
  action,
  busy,
  draft,
  problem,
  children,
  ...on
}: InsertFormProps) {
  return (
    <Dialog
      title={title}
      {...(description && { description })}
      size="s"
      onClose={on.onClose}
      footer={
        <>
          <DraftCancel draft={draft} onLeave={on.onClose} />
          <Button look="primary" busy={busy} onClick={on.onSubmit}>
            {action}
          </Button>
        </>
      }
    >
      <form
        className="note-form"
        onSubmit={(event) => {
          event.preventDefault();
          on.onSubmit();
        }}
      >
        <DraftNote draft={draft} />
        {children}
        {problem && (
          <Callout tone="bad" title={problem.title}>
            {problem.text}
          </Callout>
        )}
        <input type="submit" hidden />
      </form>
    </Dialog>
  );
}

export function FieldLabel({ text, required }: { text: string; required: boolean }) {
  return (
    <>
      {text} {required && <span className="note-form-required">{t('check.required')}</span>}
    </>
  );
}
