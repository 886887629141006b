import type { ServerAsk } from '../../../contract/asks';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Callout } from '../../ui';

/** All that a model would be sent, and who it is: nothing is answered unseen. */
export function SamplingAsk({ ask }: { ask: Extract<ServerAsk['ask'], { kind: 'sampling' }> }) {
  const { model, maxTokens, system, messages, tools, toolChoice } = ask;
  const turns = [
    ...(system === '' ? [] : [{ role: 'system' as const, text: system }]),
    ...messages.filter(({ text }) => text !== ''),
  ];
  return (
    <>
      {model === null ? (
        <Callout tone="warn">{t('question.noModel')}</Callout>
      ) : (
        <p>{t('question.sampling', { model, count: maxTokens })}</p>
      )}
      <div className="ask-prompt">
        {turns.map(({ role, text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a question never changes.
          <section key={at}>
            <h4>{t(`question.${role}`)}</h4>
            <pre className="ui-code">{visible(text)}</pre>
          </section>
        ))}
      </div>
      {tools.length > 0 && (
        <details className="ask-tools">
          <summary>{t('question.tools', { count: tools.length })}</summary>
          {toolChoice === 'required' && <p>{t('question.mustCall')}</p>}
          {toolChoice === 'none' && <p>{t('question.mayNotCall')}</p>}
          <ul>
            {tools.map(({ name, description, inputSchema }) => (
              <li key={name}>
                <code>{visible(name)}</code>
                {description !== '' && <p>{visible(description)}</p>}
                <pre className="ui-code">{visible(JSON.stringify(inputSchema, null, 2))}</pre>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
