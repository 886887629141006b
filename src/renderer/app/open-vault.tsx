import { type ReactNode, useState } from 'react';
import { create } from 'zustand';
import { ConfirmDialog } from '../ui';
import { useAction, usePicture } from './core';
import { isLive } from './run-words';
import { t } from './text';

/** `asked`: the vault that this window itself asked for last; `known`: the one that its person knows to be open. */
export const useKnownVault = create<{ readonly asked: string | null; readonly known: string | null }>(() => ({
  asked: null,
  known: null,
}));

/**
 * Opens another vault in the place of the one that is open, in every window. Asks first where that would stop an answer;
 * `question` is to be drawn.
 */
export function useOpenVault(onOpened: () => void): {
  open(path: string): void;
  isPending: boolean;
  error: unknown;
  question: ReactNode;
} {
  const action = useAction('vault.open');
  const runs = usePicture('chat.runs', {}) ?? [];
  const [asked, setAsked] = useState<string | null>(null);
  const writing = runs.filter(isLive);
  const openNow = (path: string) => {
    useKnownVault.setState({ asked: path });
    action.mutateAsync({ path }).then(onOpened, () => undefined);
  };
  return {
    open: (path) => (writing.length > 0 ? setAsked(path) : openNow(path)),
    isPending: action.isPending,
    error: action.error,
    question: asked !== null && (
      <ConfirmDialog
        title={t('vault.stopTitle')}
        text={t('vault.stopText', { notes: writing.map(({ path }) => path).join(', ') })}
        confirm={t('vault.stop')}
        cancel={t('ui.cancel')}
        danger
        onConfirm={() => openNow(asked)}
        onClose={() => setAsked(null)}
      />
    ),
  };
}
