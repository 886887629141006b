import { useState } from 'react';
import type { ForgetWhat } from '../../../contract/versions';
import { useAction } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, ConfirmDialog } from '../../ui';

export interface ForgetProps {
  what: ForgetWhat;
  label: string;
  /** What is asked before it is done. */
  title: string;
}

/** Removes kept texts for good, after a yes. */
export function Forget({ what, label, title }: ForgetProps) {
  const [isAsking, setAsking] = useState(false);
  const whyNot = useWhyNot();
  const forget = useAction('versions.forget', { once: true });
  return (
    <>
      <Button
        size="s"
        look="quiet"
        busy={forget.isPending}
        disabled={whyNot !== undefined}
        title={whyNot}
        onClick={() => setAsking(true)}
      >
        {label}
      </Button>
      {forget.error && <Callout tone="bad">{failureText(forget.error)}</Callout>}
      {isAsking && (
        <ConfirmDialog
          title={title}
          text={t('versions.forgetText')}
          confirm={t('versions.forget')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() => forget.mutate({ what })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
