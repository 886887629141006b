import { useState } from 'react';
import { Answers } from '../../base/parts/Answers';
import { useIsFresh } from '../../base/parts/fresh';
import { failureText } from '../../base/text/error-words';
import { bytes as sizeText } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button } from '../../ui';
import type { AskedFile } from './asked-files';
import type { Question } from './view-methods';

export interface QuestionBarProps {
  question: Question;
  /** The server whose view asks. */
  server: string;
  onNo(): void;
  onOpen(url: string): Promise<void>;
  onMessage(text: string, answer: boolean): void;
  onSave(files: readonly AskedFile[]): void;
}

/** What a view asks for stands below it and waits; nothing of it is done before a yes. */
export function QuestionBar({ question, server, onNo, onOpen, onMessage, onSave }: QuestionBarProps) {
  const [problem, setProblem] = useState<string | null>(null);
  // A view chooses when it asks, and what has the keys then.
  const isFresh = useIsFresh(question);
  const yes = (label: string, onClick: () => void, look?: 'primary') => (
    <Button size="s" look={look} disabled={isFresh} onClick={onClick}>
      {label}
    </Button>
  );
  return (
    <fieldset className="server-view-question" aria-live="polite">
      <Asked question={question} server={server} />
      {problem && <p role="alert">{problem}</p>}
      <Answers to={question}>
        <footer>
          {question.kind === 'link' &&
            yes(
              t('view.open'),
              () => void onOpen(question.url).catch((error: unknown) => setProblem(failureText(error))),
              'primary',
            )}
          {question.kind === 'message' && (
            <>
              {yes(t('view.put'), () => onMessage(question.text, false), 'primary')}
              {yes(t('view.putAndAnswer'), () => onMessage(question.text, true))}
            </>
          )}
          {question.kind === 'files' && yes(t('view.save'), () => onSave(question.files), 'primary')}
          <Button size="s" look="quiet" onClick={onNo}>
            {t('view.no')}
          </Button>
        </footer>
      </Answers>
    </fieldset>
  );
}

function Asked({ question, server }: Pick<QuestionBarProps, 'question' | 'server'>) {
  switch (question.kind) {
    case 'link':
      return (
        <>
          <strong>{t('view.askLink')}</strong>
          <code>{visible(question.url)}</code>
        </>
      );
    case 'message':
      return (
        <>
          <strong>{t('view.askMessage')}</strong>
          <pre>{visible(question.text)}</pre>
        </>
      );
    case 'files':
      return (
        <>
          <strong>{t('view.askFiles', { count: question.files.length, server: visible(server) })}</strong>
          <ul>
            {question.files.map(({ name, bytes }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list of one question does not change.
              <li key={at}>
                <code>{name}</code> <span>{sizeText(bytes.length)}</span>
              </li>
            ))}
          </ul>
          {question.files.some(({ name }) => name.endsWith('.bin')) && <small>{t('view.asBin')}</small>}
        </>
      );
  }
}
