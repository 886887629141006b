import { useState } from 'react';
import type { ServerEntry } from '../../../contract/mcp';
import type { Denial, Limits, ServerSandbox as State } from '../../../contract/sandbox';
import { presetOf } from '../../../contract/sandbox-presets';
import type { ServerReason } from '../../../contract/server-reasons';
import { useAction } from '../../base/core/core';
import { useWhyNot } from '../../base/core/why-not';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Button, Callout, ConfirmDialog, Switch } from '../../ui';
import { LimitLists } from './LimitLists';
import { withAllowed } from './sandbox-limits';

/** What a program may touch, and what it tried beyond that. */
export function ServerSandbox({ server }: { server: ServerEntry }) {
  return server.sandbox && <Fence server={server} sandbox={server.sandbox} />;
}

function Fence({ server, sandbox }: { server: ServerEntry; sandbox: State }) {
  const update = useAction('mcp.update');
  const whyNot = useWhyNot();
  const [asksToLeave, setAsksToLeave] = useState(false);
  const { isOn, denials } = sandbox;
  const { read, write, hosts } = sandbox;
  const save = (next: Limits | false | null) => {
    if (!update.isPending)
      update.mutate({ serverId: server.id, changes: { sandbox: next }, seen: server.revision });
  };
  return (
    <section className="server-sandbox" aria-labelledby={`sandbox-${server.id}`}>
      <header className="server-sandbox-head">
        <div>
          <h3 className="server-sandbox-title" id={`sandbox-${server.id}`}>
            {t('sandbox.title')}
          </h3>
          <p className="server-sandbox-state">{t(isOn ? 'sandbox.on' : 'sandbox.off')}</p>
        </div>
        <Switch
          aria-label={t('sandbox.switch')}
          checked={isOn}
          waiting={update.isPending}
          disabled={whyNot !== undefined}
          title={whyNot}
          onChange={(next) =>
            next ? save(presetOf(programOf(server)) ?? { read, write, hosts }) : setAsksToLeave(true)
          }
        />
      </header>
      {cannotBeMade(server.state) && (
        <Callout
          tone="warn"
          actions={
            <Button size="s" onClick={() => setAsksToLeave(true)}>
              {t('sandbox.without')}
            </Button>
          }
        >
          {t('sandbox.cannot')}
        </Callout>
      )}
      {isOn &&
        denials.map((denial) => (
          <Callout
            key={JSON.stringify(denial)}
            tone="warn"
            actions={
              <Button
                size="s"
                busy={update.isPending}
                disabled={whyNot !== undefined}
                onClick={() => save(withAllowed(sandbox, denial))}
              >
                {t(denial.kind === 'host' ? 'sandbox.allowHost' : 'sandbox.allowPath')}
              </Button>
            }
          >
            {triedWords(denial)}
          </Callout>
        ))}
      {isOn && <LimitLists limits={sandbox} waiting={update.isPending} onChange={save} />}
      {update.error && <Callout tone="bad">{failureText(update.error)}</Callout>}
      {asksToLeave && (
        <ConfirmDialog
          title={t('sandbox.leaveTitle', { name: server.name })}
          text={t('sandbox.leaveText')}
          confirm={t('sandbox.leave')}
          cancel={t('ui.cancel')}
          danger
          onConfirm={() => save(false)}
          onClose={() => setAsksToLeave(false)}
        />
      )}
    </section>
  );
}

function triedWords(denial: Denial): string {
  if (denial.kind === 'host') return t('sandbox.tried.host', { host: visible(denial.host) });
  return t(`sandbox.tried.${denial.kind}`, { path: visible(denial.path) });
}

function programOf({ command, args, env }: ServerEntry) {
  const plain = Object.entries(env).flatMap(([name, value]) =>
    value.kind === 'hidden' ? [] : [[name, value.text]],
  );
  return { command, args, env: Object.fromEntries(plain) };
}

const cannotBeMade = (state: ServerEntry['state']): boolean => 'reason' in state && saysSo(state.reason);

function saysSo(reason: ServerReason): boolean {
  if (reason.code === 'wrote' || reason.code === 'not-listed') return saysSo(reason.why);
  return reason.code === 'no-sandbox';
}
