import type { ServerEntry } from '../../../contract/mcp';
import { standingOf } from '../../../contract/server-state';
import { useAction } from '../../base/core/core';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, CopyButton } from '../../ui';

/** Signing in and out at a server, and what to open meanwhile. */
export function SignIn({ server }: { server: ServerEntry }) {
  const signIn = useAction('mcp.signIn');
  const signOut = useAction('mcp.signOut');
  const { id: serverId, state, signIn: now } = server;
  if (now === null) return null;
  if (now.underWay) {
    const { url, code } = now.underWay;
    return (
      <Callout
        tone="accent"
        title={t(code === null ? 'servers.signInOpened' : 'servers.signInCode', { code: code ?? '' })}
        actions={
          <>
            <CopyButton text={url} label={t('servers.signInCopy')} />
            <Button
              key="cancel"
              size="s"
              waiting={signOut.isPending}
              onClick={() => signOut.mutate({ serverId })}
            >
              {t('ui.cancel')}
            </Button>
          </>
        }
      >
        <code className="server-sign-in-address">{url}</code>
      </Callout>
    );
  }
  const asks = standingOf(state).actions.includes('sign-in');
  const failure = signIn.error ?? signOut.error;
  const start = (way: 'browser' | 'device') => () => signIn.mutate({ serverId, way });
  return (
    <>
      {failure && <Callout tone="bad">{failureText(failure)}</Callout>}
      {asks && (
        <Callout
          tone="warn"
          actions={
            <>
              <Button key="device" size="s" waiting={signIn.isPending} onClick={start('device')}>
                {t('servers.signInDevice')}
              </Button>
              <Button
                key="browser"
                size="s"
                look="primary"
                busy={signIn.isPending}
                onClick={start('browser')}
              >
                {t('servers.signInStart')}
              </Button>
            </>
          }
        >
          {t('servers.signIn')}
        </Callout>
      )}
      {!asks && now.signedIn && (
        <Callout
          tone="good"
          actions={
            <Button key="out" size="s" busy={signOut.isPending} onClick={() => signOut.mutate({ serverId })}>
              {t('servers.signOut')}
            </Button>
          }
        >
          {t('servers.signedIn')}
        </Callout>
      )}
    </>
  );
}
