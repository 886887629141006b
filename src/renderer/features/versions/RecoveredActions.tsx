import { useState } from 'react';
import type { RecoveredText, RecoveryPart } from '../../../contract/recovery';
import { useAction } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, ConfirmDialog } from '../../ui';
import { targetOf } from './recovery-words';

/** Puts a recovered text back, and tells how that went. */
export function useRestoring(onRestored: (text: RecoveredText) => void) {
  const compare = useAction('recovery.compare', { once: true });
  const restore = useAction('recovery.restore', { once: true });
  const asNew = useAction('recovery.restoreAsNew', { once: true });
  const leaveFor = useLayout((layout) => layout.leaveFor);
  const actions = [compare, restore, asNew];
  const forgetOutcome = () => {
    for (const action of actions) action.reset();
  };
  return {
    isPending: actions.some(({ isPending }) => isPending),
    inNote(text: RecoveredText, part: RecoveryPart, path: string) {
      const input = { id: text.id, part, path };
      forgetOutcome();
      compare.mutate(input, {
        onSuccess: ({ basis }) =>
          restore.mutate({ ...input, basis, hunks: null }, { onSuccess: () => onRestored(text) }),
      });
    },
    asNew(text: RecoveredText, part: RecoveryPart) {
      forgetOutcome();
      leaveFor(asNew.mutateAsync({ id: text.id, part }), 'kept');
    },
    outcome(text: RecoveredText) {
      const failed = actions.find(({ error, variables }) => error && variables?.id === text.id);
      if (failed) return <Callout tone="bad">{failureText(failed.error)}</Callout>;
      if (!restore.data || restore.variables?.id !== text.id) return null;
      const { saved } = restore.data;
      return (
        <Callout tone={saved ? 'good' : 'warn'}>
          {t(saved ? 'recovery.done' : 'recovery.doneUnsaved')}
        </Callout>
      );
    },
  };
}

export interface RecoveredActionsProps {
  text: RecoveredText;
  part: RecoveryPart | null;
  restoring: ReturnType<typeof useRestoring>;
}

/** What can be done with it; the first choice is the note that it came from. */
export function RecoveredActions({ text, part, restoring }: RecoveredActionsProps) {
  const whyNot = useWhyNot();
  const target = targetOf(text, part);
  const isItsNote = target !== null && text.now.kind === 'there';
  return (
    <>
      <Discard key={text.id} text={text} />
      {part !== null && (
        <Button
          look={isItsNote ? 'plain' : 'primary'}
          waiting={restoring.isPending}
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => restoring.asNew(text, part)}
        >
          {t('recovery.restoreAsNew')}
        </Button>
      )}
      {part !== null && target !== null && (
        <Button
          look={isItsNote ? 'primary' : 'plain'}
          waiting={restoring.isPending}
          disabled={whyNot !== undefined}
          title={whyNot}
          onClick={() => restoring.inNote(text, part, target)}
        >
          {t('recovery.restore')}
        </Button>
      )}
    </>
  );
}

function Discard({ text: { id, name } }: { text: RecoveredText }) {
  const [isAsking, setAsking] = useState(false);
  const whyNot = useWhyNot();
  const discard = useAction('recovery.discard', { once: true });
  return (
    <>
      <Button
        look="quiet"
        busy={discard.isPending}
        disabled={whyNot !== undefined}
        title={whyNot}
        onClick={() => setAsking(true)}
      >
        {t('recovery.discard')}
      </Button>
      {discard.error && <Callout tone="bad">{failureText(discard.error)}</Callout>}
      {isAsking && (
        <ConfirmDialog
          title={t('recovery.discardTitle', { note: visible(name) })}
          text={t('recovery.discardText')}
          confirm={t('recovery.discard')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() => discard.mutate({ id })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
