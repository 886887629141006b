import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useAsk, useLatest } from '../../base/core/core';
import { DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { InsertButton } from '../../base/parts/InsertButton';
import { SuggestedField } from '../../base/parts/SuggestedField';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { expandTemplate, variablesOf } from '../../base/text/uri-template';
import { Callout, EmptyState, Spinner } from '../../ui';
import { FilledButton } from './FilledButton';

/** Whoever signs in as another is not shown what was listed for the one before. */
const notKept = { gcTime: 0 };

/** The resources of the server; one that is open is shown anew when the server says that it has changed. */
export function ServerResources({ serverId }: { serverId: string }) {
  const { data, error, isPending } = useAsk('mcp.resources', { serverId }, notKept);
  /** What is read, below the resource or pattern that it was opened from. */
  const [open, setOpen] = useState<{ below: string; uri: string } | null>(null);
  const contentOf = (below: string) =>
    open?.below === below && <Content key={open.uri} serverId={serverId} uri={open.uri} />;
  if (isPending) return <Spinner />;
  if (error) return <Callout tone="bad">{failureText(error)}</Callout>;
  if (data.resources.length === 0 && data.templates.length === 0)
    return <EmptyState icon={FileText} title={t('resources.none')} />;
  return (
    <div className="server-offers">
      <ul className="server-offer-list" aria-label={t('servers.resources')}>
        {data.resources.map(({ uri, title, description, mediaType }) => (
          <li key={uri}>
            <button
              type="button"
              className="ui-choice"
              aria-current={open?.below === uri}
              aria-expanded={open?.below === uri}
              onClick={() => setOpen(open?.below === uri ? null : { below: uri, uri })}
            >
              <span className="ui-choice-text">
                <span>{title}</span>
                <small>{[mediaType, description || uri].filter(Boolean).join(' · ')}</small>
              </span>
            </button>
            {contentOf(uri)}
          </li>
        ))}
        {data.templates.map((template) => (
          <li key={template.uriTemplate}>
            <Template
              serverId={serverId}
              {...template}
              onOpen={(uri) => setOpen({ below: template.uriTemplate, uri })}
            />
            {contentOf(template.uriTemplate)}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface TemplateProps {
  serverId: string;
  uriTemplate: string;
  title: string;
  description: string;
  onOpen(uri: string): void;
}

function Template({ serverId, uriTemplate, title, description, onOpen }: TemplateProps) {
  const names = variablesOf(uriTemplate);
  const draft = useFormDraft<{ values: Record<string, string> }>(
    `server-resource ${serverId} ${uriTemplate}`,
    { values: {} },
    [],
  );
  const { values } = draft.values;
  return (
    <form
      className="server-offer-form"
      onSubmit={(event) => {
        event.preventDefault();
        onOpen(expandTemplate(uriTemplate, values));
      }}
    >
      <strong>{title}</strong>
      {description && <small>{description}</small>}
      {names.map((name) => (
        <SuggestedField
          key={name}
          serverId={serverId}
          of={{ kind: 'resource', uriTemplate }}
          name={name}
          label={name}
          values={values}
          onChange={(value) => draft.set({ values: { ...values, [name]: value } })}
        />
      ))}
      <DraftNote draft={draft} />
      <FilledButton lacking={names.filter((name) => !values[name])}>{t('resources.read')}</FilledButton>
    </form>
  );
}

const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

function Content({ serverId, uri }: { serverId: string; uri: string }) {
  const { item, error } = useLatest('mcp.followResource', { serverId, uri });
  if (error) return <Callout tone="bad">{failureText(error)}</Callout>;
  if (!item) return <Spinner />;
  const text = item.flatMap((content) => content.text ?? []).join('\n');
  return (
    <section className="server-offer" aria-label={uri}>
      <header>
        <code>{uri}</code>
        {text !== '' && (
          <InsertButton size="s" onPress={(insert) => insert((editor) => editor.insertForeignText(text))}>
            {t('resources.insert')}
          </InsertButton>
        )}
      </header>
      {item.map((content) =>
        content.base64 !== null && pictures.test(content.mediaType ?? '') ? (
          <img
            key={content.uri}
            className="server-offer-picture"
            alt={content.uri}
            src={`data:${content.mediaType};base64,${content.base64}`}
          />
        ) : (
          <pre key={content.uri} className="ui-code">
            {content.text ?? t('resources.binary', { type: content.mediaType ?? '?' })}
          </pre>
        ),
      )}
    </section>
  );
}
