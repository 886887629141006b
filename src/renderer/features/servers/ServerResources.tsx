import { FileText } from 'lucide-react';
import { useState } from 'react';
import { useAsk, useCore, useLatest } from '../../app/core';
import { failureText } from '../../app/failure';
import { useLayout } from '../../app/layout';
import { t } from '../../app/text';
import { Button, Callout, EmptyState, Field, Input, Spinner } from '../../ui';
import { expandTemplate, variablesOf } from './uri-template';

/** What the server lends to read; one that is open is shown anew when the server says that it has changed. */
export function ServerResources({ serverId }: { serverId: string }) {
  const { data, error, isPending } = useAsk('mcp.resources', { serverId });
  const [open, setOpen] = useState<string | null>(null);
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
              aria-current={uri === open}
              onClick={() => setOpen(uri)}
            >
              <span className="ui-choice-text">
                <span>{title}</span>
                <small>{[mediaType, description || uri].filter(Boolean).join(' · ')}</small>
              </span>
            </button>
          </li>
        ))}
        {data.templates.map((template) => (
          <li key={template.uriTemplate}>
            <Template serverId={serverId} {...template} onOpen={setOpen} />
          </li>
        ))}
      </ul>
      {open !== null && <Content key={open} serverId={serverId} uri={open} />}
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
  const [values, setValues] = useState<Record<string, string>>({});
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
        <Suggested
          key={name}
          serverId={serverId}
          of={{ kind: 'resource', uriTemplate }}
          name={name}
          label={name}
          values={values}
          onChange={(value) => setValues({ ...values, [name]: value })}
        />
      ))}
      <Button type="submit" size="s" disabled={names.some((name) => !values[name])}>
        {t('resources.read')}
      </Button>
    </form>
  );
}

export interface SuggestedProps {
  serverId: string;
  of: { kind: 'prompt'; name: string } | { kind: 'resource'; uriTemplate: string };
  name: string;
  label: string;
  hint?: string;
  values: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

/** A text for which the server may know what could be written. */
export function Suggested({ serverId, of, name, label, hint, values, onChange }: SuggestedProps) {
  const core = useCore();
  const [ideas, setIdeas] = useState<readonly string[]>([]);
  const { [name]: value = '', ...others } = values;
  const suggest = (typed: string) =>
    void core
      .call('mcp.complete', { serverId, of, argument: name, value: typed, others })
      .then(setIdeas, () => setIdeas([]));
  return (
    <Field label={label} hint={hint}>
      {(ties) => (
        <>
          <Input
            {...ties}
            list={`${ties.id}-ideas`}
            value={value}
            onFocus={() => suggest(value)}
            onChange={({ target }) => {
              onChange(target.value);
              suggest(target.value);
            }}
          />
          <datalist id={`${ties.id}-ideas`}>
            {ideas.map((idea) => (
              <option key={idea} value={idea} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

const pictures = /^image\/(png|jpeg|gif|webp|avif|bmp)$/;

function Content({ serverId, uri }: { serverId: string; uri: string }) {
  const { item, error } = useLatest('mcp.followResource', { serverId, uri });
  const insert = useLayout((layout) => layout.insertIntoEditor);
  if (error) return <Callout tone="bad">{failureText(error)}</Callout>;
  if (!item) return <Spinner />;
  const text = item.flatMap((content) => content.text ?? []).join('\n');
  return (
    <section className="server-offer" aria-label={uri}>
      <header>
        <code>{uri}</code>
        {text !== '' && (
          <Button size="s" onClick={() => insert(text)}>
            {t('resources.insert')}
          </Button>
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
