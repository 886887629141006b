import type { ReactNode } from 'react';
import { useConnected } from '../core/connected';
import { t } from '../text/text';

export interface AnswersProps {
  /** It is asked by what the core does now, and is over with it. */
  endsWithCore?: boolean;
  /** One is on its way. */
  given?: boolean;
  children: ReactNode;
}

/** Stands around the answers to whatever the core asks: while it is gone none can be given, and why is said. */
export function Answers({ endsWithCore = false, given = false, children }: AnswersProps) {
  const connected = useConnected();
  return (
    <>
      {!connected && (
        <p className="answers-wait" role="status">
          {t(endsWithCore ? 'connection.answerIfThere' : 'connection.answerLater')}
        </p>
      )}
      <fieldset role="none" className="answers" disabled={!connected || given}>
        {children}
      </fieldset>
    </>
  );
}
