import './elicitation.css';
import { MessageCircleQuestion } from 'lucide-react';
import type { AskAnswer, ServerAsk } from '../../../contract/asks';
import { useAction, useCoreState } from '../../base/core/core';
import { Answers } from '../../base/parts/Answers';
import { failureText } from '../../base/text/error-words';
import { listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, Tray } from '../../ui';
import { AskForm } from './AskForm';
import { SamplingAsk } from './SamplingAsk';

/** What servers ask of the person, each named. While this is on the screen somebody is there to be asked. */
export function ServerQuestions() {
  const asks = useCoreState('mcp.asks', {}) ?? [];
  if (asks.length === 0) return null;
  return <Questions asks={asks} />;
}

/** The same at the foot of a dialog, which shuts off the status bar. It takes no focus: somebody may be typing. */
export function DialogQuestions() {
  const asks = useCoreState('mcp.asks', {}) ?? [];
  if (asks.length === 0) return null;
  const names = [...new Set(asks.map(({ serverName }) => serverName))];
  return (
    <div className="ask-strip" role="status">
      <span>{t('question.meanwhile', { server: listed(names) })}</span>
      <Questions asks={asks} />
    </div>
  );
}

function Questions({ asks }: { asks: readonly ServerAsk[] }) {
  return (
    <Tray
      icon={MessageCircleQuestion}
      label={t('question.waiting', { count: asks.length })}
      className="ask-tray"
    >
      <div className="ask-list">
        {asks.map((question) => (
          <Question key={question.id} question={question} />
        ))}
      </div>
    </Tray>
  );
}

function Question({ question: { id, serverName, ask } }: { question: ServerAsk }) {
  const answer = useAction('mcp.answer');
  const give = (reply: AskAnswer) => answer.mutate({ id, answer: reply });
  const others = (
    <>
      <Button size="s" onClick={() => give({ action: 'decline' })}>
        {t('question.decline')}
      </Button>
      <Button size="s" look="quiet" onClick={() => give({ action: 'cancel' })}>
        {t('question.cancel')}
      </Button>
    </>
  );
  return (
    <article className="ask" tabIndex={-1} aria-label={t('question.from', { server: serverName })}>
      <h3>{t('question.from', { server: serverName })}</h3>
      {ask.kind !== 'sampling' && <p className="ask-message">{visible(ask.message)}</p>}
      {ask.kind === 'form' && (
        <AskForm id={id} schema={ask.schema} onSubmit={(content) => give({ action: 'accept', content })}>
          {others}
        </AskForm>
      )}
      {ask.kind === 'url' && (
        <>
          <Address url={ask.url} host={ask.host} />
          <Answers to={id} endsWithCore>
            <div className="ask-actions">
              <Button size="s" look="primary" onClick={() => give({ action: 'accept' })}>
                {t('question.open')}
              </Button>
              {others}
            </div>
          </Answers>
        </>
      )}
      {ask.kind === 'sampling' && (
        <>
          <SamplingAsk ask={ask} />
          <Answers to={id} endsWithCore>
            <div className="ask-actions">
              {ask.model !== null && (
                <Button size="s" look="primary" onClick={() => give({ action: 'accept' })}>
                  {t('question.allowSampling')}
                </Button>
              )}
              {others}
            </div>
          </Answers>
        </>
      )}
      {answer.error && <Callout tone="bad">{failureText(answer.error)}</Callout>}
    </article>
  );
}

/** The whole address with its host marked. A host in other letters than it seems is said to be one. */
function Address({ url, host }: { url: string; host: string }) {
  const [before, ...after] = url.split(host);
  return (
    <>
      <p className="ask-address">
        {before}
        <strong>{host}</strong>
        {after.join(host)}
      </p>
      {host.includes('xn--') && <Callout tone="warn">{t('question.punycode')}</Callout>}
    </>
  );
}
