import { LogIn, type LucideIcon, Play, Power, PowerOff, RotateCw, Square } from 'lucide-react';
import type { ServerState } from '../../../contract/mcp';
import { type ServerAction, standingOf } from '../../../contract/server-state';
import { Button } from '../../ui';
import { useAction } from '../core/core';
import { useWhyNot } from '../core/why-not';
import { failureText } from '../text/error-words';
import { type TextKey, t } from '../text/text';

const icons: Readonly<Record<ServerAction, LucideIcon>> = {
  'turn-on': Power,
  'keep-off': PowerOff,
  start: Play,
  stop: Square,
  restart: RotateCw,
  'sign-in': LogIn,
};

const labels = {
  'turn-on': 'servers.reenable',
  'keep-off': 'servers.keepOff',
  start: 'servers.start',
  stop: 'servers.stop',
  restart: 'servers.restart',
  'sign-in': 'servers.signInStart',
} as const satisfies Record<ServerAction, TextKey>;

export interface ServerActionsProps {
  serverId: string;
  state: ServerState;
  look?: 'quiet' | 'plain';
  /** Leads to where one signs in; null: that is here already. */
  onSignIn: (() => void) | null;
}

/** What the server's state offers, and why the last of it failed. */
export function ServerActions({ serverId, state, look = 'plain', onSignIn }: ServerActionsProps) {
  const whyNot = useWhyNot();
  const start = useAction('mcp.start');
  const stop = useAction('mcp.stop');
  const restart = useAction('mcp.restart');
  const setEnabled = useAction('mcp.setEnabled');
  const all = [start, stop, restart, setEnabled];
  const isPending = all.some((action) => action.isPending);
  const failure = all.find(({ error }) => error)?.error;

  const run = (action: ServerAction) => {
    // What went wrong before is not said of what is done now.
    for (const one of all) one.reset();
    switch (action) {
      case 'turn-on':
        return setEnabled.mutate({ serverId, enabled: true });
      case 'keep-off':
        return setEnabled.mutate({ serverId, enabled: false });
      case 'start':
        return start.mutate({ serverId });
      case 'stop':
        return stop.mutate({ serverId });
      case 'restart':
        return restart.mutate({ serverId });
      case 'sign-in':
        return onSignIn?.();
    }
  };

  const offered = standingOf(state).actions.filter((action) => action !== 'sign-in' || onSignIn !== null);
  return (
    <>
      {offered.map((action, at) => {
        const Icon = icons[action];
        const isNext = at === 0 && (action === 'turn-on' || action === 'sign-in') && look === 'plain';
        return (
          <Button
            key={action}
            size="s"
            look={isNext ? 'primary' : look}
            waiting={isPending}
            disabled={whyNot !== undefined}
            title={whyNot}
            onClick={() => run(action)}
          >
            <Icon size={12} strokeWidth={2} aria-hidden />
            {t(labels[action])}
          </Button>
        );
      })}
      {failure && (
        <p className="failure" role="alert">
          {failureText(failure)}
        </p>
      )}
    </>
  );
}
