import type { ReactNode } from 'react';
import { useConnected } from '../core/connected';
import { t } from '../text/text';
import { useIsFresh } from './fresh';

export interface AnswersProps {
  /** What is asked; another one nobody has seen yet. */
  to: string | object;
  /** It is asked by what the core does now, and is over with it. */
  endsWithCore?: boolean;
  /** One is on its way. */
  given?: boolean;
  children: ReactNode;
}

/**
 * Stands around the answers to whatever the core asks: while it is gone none can be given, and why is said. A press in the first
 * half second was meant for what stood there before.
 */
export function Answers({ to, endsWithCore = false, given = false, children }: AnswersProps) {
  const connected = useConnected();
  const isFresh = useIsFresh(to);
  return (
    <>
      {!connected && (
        <p className="answers-wait" role="status">
          {t(endsWithCore ? 'connection.answerIfThere' : 'connection.answerLater')}
        </p>
      )}
      <fieldset role="none" className="answers" data-fresh={isFresh} disabled={!connected || given}>
        {children}
      </fieldset>
    </>
  );
}
