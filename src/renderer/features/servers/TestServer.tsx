import type { ServerDraft } from '../../../contract/mcp';
import { useAction } from '../../base/core/core';
import { failureText, reasonText } from '../../base/text/error-words';
import { shortMs } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout } from '../../ui';

/** Connects once and shows every tool, or why it cannot. */
export function TestServer({ draft }: { draft: ServerDraft }) {
  const test = useAction('mcp.test');
  const result = test.data;
  const problem = result?.kind === 'failed' ? reasonText(result.reason) : '';
  // Why it failed often says the last lines already.
  const log = result?.kind === 'failed' ? result.log.filter((line) => !problem.includes(line.trim())) : [];
  return (
    <div className="test">
      <Button size="s" busy={test.isPending} onClick={() => test.mutate({ server: draft })}>
        {t(test.isPending ? 'add.testing' : 'add.test')}
      </Button>
      {test.error && <Callout tone="bad">{failureText(test.error)}</Callout>}
      {result?.kind === 'failed' && (
        <Callout tone="bad" title={t('add.testFailed')}>
          <p>{problem}</p>
          {log.length > 0 && <pre className="ui-code">{log.join('\n')}</pre>}
        </Callout>
      )}
      {result?.kind === 'ok' && (
        <Callout
          tone="good"
          title={t('add.testOk', { time: shortMs(result.ms), count: result.tools.length })}
        >
          <ul className="test-tools">
            {result.tools.map((tool) => (
              <li key={tool.name}>
                <code>{tool.name}</code>
                <span>{tool.description}</span>
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  );
}
