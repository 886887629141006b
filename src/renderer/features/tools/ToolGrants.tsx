import type { ToolEntry } from '../../../contract/tools';
import { useAction } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout } from '../../ui';

/** What was always allowed and covers the tool, each of which can be taken back. */
export function ToolGrants({ tool }: { tool: ToolEntry }) {
  const whyNot = useWhyNot();
  const revoke = useAction('tools.revoke');
  return (
    <>
      {tool.changed && <Callout tone="warn">{t('tools.changed')}</Callout>}
      {revoke.error && <Callout tone="bad">{failureText(revoke.error)}</Callout>}
      {tool.grants.length > 0 && (
        <ul className="tool-grants" aria-label={t('settings.grants')}>
          {tool.grants.map(({ id, scope, path, holds }) => (
            <li key={id}>
              <span>
                {t(`tools.grant.${scope}`, { server: tool.serverName, note: path ?? '' })}
                {!holds && ` · ${t('tools.grantOver')}`}
              </span>
              <Button
                size="s"
                disabled={whyNot !== undefined}
                title={whyNot}
                onClick={() => revoke.mutate({ id })}
              >
                {t('settings.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
