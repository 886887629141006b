import type { VaultState } from '../../../contract/vault';
import { Button, Callout } from '../../ui';
import { useOpenVault } from '../core/open-vault';
import { failureText } from '../text/error-words';
import { t } from '../text/text';

/** The folder is away: what is there instead, what becomes of what is typed, and where to go. */
export function LostVault({
  lost: { path, name, instead, movedTo },
  typing,
}: {
  lost: Extract<VaultState, { kind: 'lost' }>;
  /** Notes are open, and take keys. */
  typing: boolean;
}) {
  const open = useOpenVault();
  return (
    <>
      {open.question}
      <Callout
        tone="warn"
        title={t('vault.lost', { name })}
        actions={
          <>
            {movedTo !== null && (
              <Button size="s" look="primary" busy={open.isPending} onClick={() => open.open(movedTo)}>
                {t('vault.lostFollow')}
              </Button>
            )}
            {instead === 'another' && (
              <Button size="s" busy={open.isPending} onClick={() => open.open(path)}>
                {t('vault.lostAnother')}
              </Button>
            )}
            {typing && (
              <Button size="s" busy={open.isPending} onClick={open.close}>
                {t('vault.close')}
              </Button>
            )}
          </>
        }
      >
        <p>
          {movedTo !== null && `${t('vault.lostMoved', { path: movedTo })} `}
          {instead === 'another' && t('vault.lostReplaced', { path })}
          {instead === 'nothing' && movedTo === null && t('vault.lostGone', { path })}
        </p>
        <p>{t(typing ? 'vault.lostTyping' : 'vault.lostWaits')}</p>
        {open.error !== null && <p className="failure">{failureText(open.error)}</p>}
      </Callout>
    </>
  );
}
