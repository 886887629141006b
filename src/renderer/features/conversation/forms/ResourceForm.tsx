import type { EditorView } from '@codemirror/view';
import { useState } from 'react';
import { useCore } from '../../../base/core/core';
import { useForgetsMissed } from '../../../base/core/missed';
import { useFormDraft } from '../../../base/drafts/form-draft';
import { SuggestedField } from '../../../base/parts/SuggestedField';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { expandTemplate, variablesOf } from '../../../base/text/uri-template';
import { linkTo } from '../../editor/completion/at-menu';
import type { OfferedResource } from '../../editor/context/offers';
import { insertWords } from '../../editor/insert/insert-turns';
import { FieldLabel, InsertForm } from './InsertForm';

export interface ResourceFormProps {
  view: EditorView;
  resource: OfferedResource;
  onClose(): void;
  onDone(): void;
}

/** The variables of an address pattern; what it leads to is read once before it is linked to. */
export function ResourceForm({ view, resource, onClose, onDone }: ResourceFormProps) {
  const core = useCore();
  const { server, address, description, title } = resource;
  const names = variablesOf(address.text);
  const draft = useFormDraft<{ values: Readonly<Record<string, string>> }>(
    `resource ${server.id} ${address.text}`,
    { values: {} },
    [],
  );
  const { values } = draft.values;
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useForgetsMissed(() => setProblem(null));
  const uri = expandTemplate(address.text, values);
  const isEmpty = names.every((name) => !values[name]);

  const attach = async () => {
    setTried(true);
    if (isEmpty || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await core.call('mcp.readResource', { serverId: server.id, uri });
      draft.discard();
      onDone();
      const label = `${title} ${names.map((name) => values[name]).join(' ')}`.trim();
      requestAnimationFrame(() => insertWords(view, linkTo({ ...resource, title: label }, uri)));
    } catch (error) {
      failed(error);
      setProblem(failureText(error));
      setBusy(false);
    }
  };

  return (
    <InsertForm
      title={title}
      description={description}
      action={t('attach.attach')}
      busy={busy}
      draft={draft}
      problem={problem === null ? null : { title: t('attach.failed'), text: problem }}
      onSubmit={() => void attach()}
      onClose={onClose}
    >
      {names.map((name) => (
        <SuggestedField
          key={name}
          serverId={server.id}
          of={{ kind: 'resource', uriTemplate: address.text }}
          name={name}
          label={<FieldLabel text={name} required={names.length === 1} />}
          error={tried && isEmpty ? t('prompt.missing') : null}
          values={values}
          onChange={(value) => draft.set({ values: { ...values, [name]: value } })}
        />
      ))}
      <p className="note-form-address">
        <code>{isEmpty ? address.text : uri}</code>
      </p>
    </InsertForm>
  );
}
