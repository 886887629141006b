import type { ReactNode } from 'react';
import { useConnected } from './connected';
import { t } from './text';

/** Stands around the answers to whatever the core asks: while it is gone none can be given, and why is said. */
export function Answers({ children }: { children: ReactNode }) {
  const connected = useConnected();
  return (
    <>
      {!connected && (
        <p className="answers-wait" role="status">
          {t('connection.answerLater')}
        </p>
      )}
      <fieldset role="none" className="answers" disabled={!connected}>
        {children}
      </fieldset>
    </>
  );
}
