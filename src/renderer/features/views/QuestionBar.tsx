import { useState } from 'react';
import { failureText } from '../../app/failure';
import { t } from '../../app/text';
import { visible } from '../../app/visible';
import { Button } from '../../ui';
import type { Question } from './mediator';

export interface QuestionBarProps {
  question: Question;
  onNo(): void;
  onOpen(url: string): Promise<void>;
  onMessage(text: string, answer: boolean): void;
}

/** What a view asks for stands below it and waits; nothing of it is done before a yes. */
export function QuestionBar({ question, onNo, onOpen, onMessage }: QuestionBarProps) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <fieldset className="server-view-question" aria-live="polite">
      {question.kind === 'link' ? (
        <>
          <strong>{t('view.askLink')}</strong>
          <code>{visible(question.url)}</code>
        </>
      ) : (
        <>
          <strong>{t('view.askMessage')}</strong>
          <pre>{visible(question.text)}</pre>
        </>
      )}
      {problem && <p role="alert">{problem}</p>}
      <footer>
        {question.kind === 'link' ? (
          <Button
            size="s"
            look="primary"
            onClick={() => onOpen(question.url).catch((error: unknown) => setProblem(failureText(error)))}
          >
            {t('view.open')}
          </Button>
        ) : (
          <>
            <Button size="s" look="primary" onClick={() => onMessage(question.text, false)}>
              {t('view.put')}
            </Button>
            <Button size="s" onClick={() => onMessage(question.text, true)}>
              {t('view.putAndAnswer')}
            </Button>
          </>
        )}
        <Button size="s" look="quiet" onClick={onNo}>
          {t('view.no')}
        </Button>
      </footer>
    </fieldset>
  );
}
