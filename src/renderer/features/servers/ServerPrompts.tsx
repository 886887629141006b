import { MessageSquareText } from 'lucide-react';
import type { PromptEntry, PromptTurns } from '../../../contract/mcp';
import { useAction, useAsk, useCoreState } from '../../base/core/core';
import { DraftNote } from '../../base/drafts/DraftNote';
import { useFormDraft } from '../../base/drafts/form-draft';
import { InsertButton } from '../../base/parts/InsertButton';
import { SuggestedField } from '../../base/parts/SuggestedField';
import { failureText } from '../../base/text/error-words';
import { t } from '../../base/text/text';
import { Callout, EmptyState, Spinner } from '../../ui';
import { FilledButton } from './FilledButton';

/** Whoever signs in as another is not shown what was listed for the one before. */
const notKept = { gcTime: 0 };

/** Conversations that the server has prepared; a filled-in one becomes turns in the open note. */
export function ServerPrompts({ serverId }: { serverId: string }) {
  const { data, error, isPending } = useAsk('mcp.prompts', { serverId }, notKept);
  if (isPending) return <Spinner />;
  if (error) return <Callout tone="bad">{failureText(error)}</Callout>;
  if (data.length === 0) return <EmptyState icon={MessageSquareText} title={t('prompts.none')} />;
  return (
    <ul className="server-offer-list" aria-label={t('servers.prompts')}>
      {data.map((prompt) => (
        <li key={prompt.name}>
          <Prompt serverId={serverId} prompt={prompt} />
        </li>
      ))}
    </ul>
  );
}

function Prompt({ serverId, prompt }: { serverId: string; prompt: PromptEntry }) {
  const draft = useFormDraft<{ values: Record<string, string> }>(
    `server-prompt ${serverId} ${prompt.name}`,
    { values: {} },
    [],
  );
  const { values } = draft.values;
  const get = useAction('mcp.getPrompt');
  const turns = useAction('chat.promptTurns');
  const settings = useCoreState('settings.current', {});
  const providers = useCoreState('providers.list', {});
  const lacking = prompt.arguments.filter(({ name, required }) => required && !values[name]);
  const args = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
  const person = settings?.tags.user[0] ?? 'User';
  const model = providers?.find(({ isDefault }) => isDefault)?.tag ?? 'Assistant';
  return (
    <form
      className="server-offer-form"
      onSubmit={(event) => {
        event.preventDefault();
        get.mutate({ serverId, name: prompt.name, arguments: args });
      }}
    >
      <strong>{prompt.title}</strong>
      {prompt.description && <small>{prompt.description}</small>}
      {prompt.arguments.map(({ name, title, description, required }) => (
        <SuggestedField
          key={name}
          serverId={serverId}
          of={{ kind: 'prompt', name: prompt.name }}
          name={name}
          label={required ? `${title} *` : title}
          hint={description}
          values={values}
          onChange={(value) => draft.set({ values: { ...values, [name]: value } })}
        />
      ))}
      <DraftNote draft={draft} />
      <FilledButton lacking={lacking.map(({ title }) => title)} busy={get.isPending}>
        {t('prompts.get')}
      </FilledButton>
      {(get.error ?? turns.error) && <Callout tone="bad">{failureText(get.error ?? turns.error)}</Callout>}
      {get.data && (
        <>
          <pre className="ui-code">{asTurns(get.data, person, model)}</pre>
          <InsertButton
            size="s"
            look="primary"
            busy={turns.isPending}
            onPress={(insert) =>
              turns.mutate(
                { serverId, name: prompt.name, arguments: args },
                { onSuccess: (answer) => insert((editor) => editor.insertTurns(answer.turns, model)) },
              )
            }
          >
            {t('prompts.insert')}
          </InsertButton>
        </>
      )}
    </form>
  );
}

const asTurns = ({ turns }: PromptTurns, person: string, model: string) =>
  turns
    .map(({ role, parts }) => {
      const text = parts.map((part) => ('text' in part ? part.text : `(${part.kind})`)).join('\n');
      return `#${role === 'user' ? person : model} : ${text}`;
    })
    .join('\n\n');
