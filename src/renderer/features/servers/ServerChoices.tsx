import type { ServerTemplate } from '../../../contract/mcp';
import { labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { Callout } from '../../ui';
import type { Offered } from './new-servers';

/** Servers that other programs on this machine have; the files in which none could be read are told. */
export function ElsewhereChoices({
  files,
  onChoose,
}: {
  files: readonly (Offered & { readonly app: string; readonly file: string })[];
  onChoose(offered: Offered): void;
}) {
  const readable = files.filter(({ servers }) => servers.length > 0);
  const unreadable = files.filter(({ servers }) => servers.length === 0);
  return (
    <section className="ui-section">
      <h3>{t('add.elsewhere')}</h3>
      <div className="add-templates">
        {readable.map(({ app, file, servers, skipped }) => (
          <button
            key={file}
            type="button"
            className="add-template"
            title={file}
            onClick={() => onChoose({ servers, skipped })}
          >
            <strong>{app}</strong>
            <span>
              {t('add.elsewhereText', {
                count: servers.length,
                names: listed(servers.map(({ name }) => visible(name))),
              })}
            </span>
          </button>
        ))}
      </div>
      {unreadable.map(({ app, file, skipped }) => (
        <Callout key={file} tone="warn" title={t('add.elsewhereUnread', { app })}>
          {file}: {skipped.map(({ server, reason }) => labelled(server, reason)).join(' ')}
        </Callout>
      ))}
    </section>
  );
}

export function TemplateChoices({
  templates,
  onChoose,
}: {
  templates: readonly ServerTemplate[];
  onChoose(offered: Offered): void;
}) {
  return (
    <section className="ui-section">
      <h3>{t('add.templates')}</h3>
      <div className="add-templates">
        {templates.map(({ id, draft }) => (
          <button
            key={id}
            type="button"
            className="add-template"
            onClick={() => onChoose({ servers: [draft], skipped: [] })}
          >
            <strong>{t(`template.${id}`)}</strong>
            <span>{t(`template.${id}.text`)}</span>
          </button>
        ))}
      </div>
    </section>
  );
}
