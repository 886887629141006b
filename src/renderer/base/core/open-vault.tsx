import { type ReactNode, useState } from 'react';
import { create } from 'zustand';
import { failedWith } from '../../../contract/failed-with';
import { ConfirmDialog } from '../../ui';
import { listed } from '../text/format';
import { t } from '../text/text';
import { useAction } from './core';

/** `asking`: this window itself opens another one just now; `knownPath`: the one that its person knows to be open. */
export const useKnownVault = create<{ readonly asking: boolean; readonly knownPath: string | null }>(() => ({
  asking: false,
  knownPath: null,
}));

/** A folder, the sample, or none. */
type Wish = { readonly path: string } | 'sample' | 'none';

/**
 * Opens another vault in the place of the one that is open, in every window. Asks first where that would stop an answer;
 * `question` is to be drawn.
 */
export function useOpenVault(onOpened: () => void = () => undefined): {
  open(path: string): void;
  openSample(): void;
  close(): void;
  isPending: boolean;
  pending: Wish | null;
  error: unknown;
  question: ReactNode;
} {
  const folder = useAction('vault.open');
  const sample = useAction('vault.openSample');
  const closing = useAction('vault.close');
  const [refusal, setRefusal] = useState<{ wish: Wish; notes: readonly string[] } | null>(null);
  const open = async (wish: Wish, force: boolean) => {
    folder.reset();
    sample.reset();
    closing.reset();
    useKnownVault.setState({ asking: true });
    try {
      if (wish === 'none') await closing.mutateAsync({ force });
      else {
        const opened = await (wish === 'sample'
          ? sample.mutateAsync({ force })
          : folder.mutateAsync({ path: wish.path, force }));
        useKnownVault.setState({ knownPath: opened.path });
      }
      onOpened();
    } catch (error) {
      if (failedWith('vault.open', error, 'vault.busy')) setRefusal({ wish, notes: error.details.notes });
    } finally {
      useKnownVault.setState({ asking: false });
    }
  };
  const error = folder.error ?? sample.error ?? closing.error;
  return {
    open: (path) => void open({ path }, false),
    openSample: () => void open('sample', false),
    close: () => void open('none', false),
    isPending: folder.isPending || sample.isPending || closing.isPending,
    pending: sample.isPending ? 'sample' : (folder.isPending && folder.variables) || null,
    error: failedWith('vault.open', error, 'vault.busy') ? null : error,
    question: refusal !== null && (
      <ConfirmDialog
        title={t('vault.stopTitle')}
        text={t(refusal.wish === 'none' ? 'vault.stopCloseText' : 'vault.stopText', {
          notes: listed(refusal.notes),
        })}
        confirm={t(refusal.wish === 'none' ? 'vault.stopClose' : 'vault.stop')}
        cancel={t('ui.cancel')}
        danger
        onConfirm={() => void open(refusal.wish, true)}
        onClose={() => setRefusal(null)}
      />
    ),
  };
}
