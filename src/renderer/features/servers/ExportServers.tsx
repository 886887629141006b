import { Download } from 'lucide-react';
import { useAsk } from '../../base/core/core';
import { download } from '../../base/parts/download';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Button, Callout, CopyButton, Dialog, Spinner } from '../../ui';

/** The configuration to take elsewhere. */
export function ExportServers({ onClose }: { onClose(): void }) {
  const { data, error } = useAsk('mcp.export', {});
  const save = (text: string) => download(new Blob([text], { type: 'application/json' }), 'mcp.json');
  return (
    <Dialog
      title={t('servers.exportTitle')}
      description={t('servers.exportText')}
      onClose={onClose}
      footer={
        data && (
          <>
            <CopyButton text={data.text} />
            <Button look="primary" onClick={() => save(data.text)}>
              <Download size={14} strokeWidth={2} aria-hidden />
              {t('servers.download')}
            </Button>
          </>
        )
      }
    >
      {error && <Callout tone="bad">{failureText(error)}</Callout>}
      {!data && !error && <Spinner size={16} label={t('servers.exportTitle')} />}
      {data && <pre className="ui-code">{data.text}</pre>}
    </Dialog>
  );
}
