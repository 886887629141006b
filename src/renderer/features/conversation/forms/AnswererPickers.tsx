import type { EditorView } from '@codemirror/view';
import { Bot, Sparkles } from 'lucide-react';
import { useState } from 'react';
import type { ProviderEntry } from '../../../../contract/providers';
import { type Core, useAsk, useCore, useCoreState } from '../../../base/core/core';
import { useForgetsMissed } from '../../../base/core/missed';
import { failureText } from '../../../base/text/error-words';
import { problemText } from '../../../base/text/finding-words';
import { highlighted, search } from '../../../base/text/fuzzy';
import { t } from '../../../base/text/text';
import { PickDialog, Spinner } from '../../../ui';
import { noteContext } from '../../editor/context/note-context';
import { placeOf } from '../../editor/insert/held-range';
import { compareAt } from '../compare/compared';

interface PickerProps {
  view: EditorView;
  onClose(): void;
}

type AnswererPickerProps = PickerProps & { tag: string | null; how: 'again' | 'replace' | 'beside' };

/** Another model or agent for an answer. */
export function AnswererPicker({ view, tag, how, onClose }: AnswererPickerProps) {
  const [query, setQuery] = useState('');
  const providers = useCoreState('providers.list', {}) ?? [];
  const agents = useCoreState('agents.list', {}) ?? [];
  const all = [
    ...providers
      .filter(({ tagTaken }) => !tagTaken)
      .map((one) => ({ tag: one.tag, detail: `${one.label} · ${one.model}`, isAgent: false })),
    ...agents
      .flatMap(({ tag, ...one }) => (tag === null ? [] : [{ ...one, tag }]))
      .map((one) => ({ tag: one.tag, detail: one.model ?? '', isAgent: true })),
  ];
  // Whoever did it last comes last.
  const others = all.toSorted((a, b) => Number(a.tag === tag) - Number(b.tag === tag));
  const matches = search(query, others, (one) => one.tag);
  return (
    <PickDialog
      title={t(how === 'beside' ? 'reply.compare' : 'answer.other')}
      placeholder={t('answer.otherPlaceholder')}
      query={query}
      onQuery={setQuery}
      items={matches}
      keyOf={({ item }) => `${item.isAgent} ${item.tag}`}
      render={(result) => {
        const Icon = result.item.isAgent ? Bot : Sparkles;
        return (
          <>
            <Icon size={14} strokeWidth={1.75} aria-hidden />
            <span className="ui-pick-main">{highlighted(result)}</span>
            <span className="ui-pick-side">{result.item.detail}</span>
          </>
        );
      }}
      onPick={({ item }) => {
        const { from } = placeOf(view.state);
        onClose();
        if (how === 'beside') view.dispatch({ effects: compareAt.of(from) });
        const more = {
          ...(how === 'again' && { again: true }),
          ...(how === 'replace' && { replace: true }),
          ...(how === 'beside' && { beside: true }),
        };
        view.state.field(noteContext).actions.askAgain(view, from, { tag: item.tag, ...more });
      }}
      empty={t('answer.noOther')}
      onClose={onClose}
    />
  );
}

type ModelPickerProps = PickerProps & { provider: string | null; model: string | null };

/** The models of the provider that has no such model; where it was the provider's own, the choice stays. */
export function ModelPicker({ view, provider: id, model, onClose }: ModelPickerProps) {
  const core = useCore();
  const [query, setQuery] = useState('');
  const { problem, failed } = useProblem();
  const providers = useCoreState('providers.list', {});
  const provider = providers?.find((one) => one.id === id);
  if (!provider) return providers ? <AnswererPicker {...{ view, onClose }} tag={null} how="again" /> : null;
  const stays = provider.model === model;

  const use = async (chosen: string) => {
    try {
      if (stays) await saveModel(core, provider, chosen);
      const { from } = placeOf(view.state);
      onClose();
      view.state
        .field(noteContext)
        .actions.askAgain(view, from, { again: true, ...(!stays && { model: chosen }) });
    } catch (error) {
      failed(error);
    }
  };
  return (
    <Models
      provider={provider}
      {...{ query, setQuery, problem, onClose }}
      footer={stays ? t('answer.modelStays', { name: `#${provider.tag}` }) : t('answer.modelOnce')}
      onUse={(chosen) => void use(chosen)}
    />
  );
}

function useProblem() {
  const [problem, setProblem] = useState<string | null>(null);
  const forgets = useForgetsMissed(() => setProblem(null));
  const failed = (error: unknown) => {
    forgets(error);
    setProblem(failureText(error));
  };
  return { problem, failed };
}

function saveModel(core: Core, provider: ProviderEntry, model: string) {
  const { label: _label, key: _key, isDefault: _isDefault, ...config } = provider;
  return core.call('providers.save', { provider: { ...config, model } });
}

/** Everything that a provider offers; what is chosen it uses from now on. */
export function ModelChange({ provider: id, onClose }: { provider: string; onClose(): void }) {
  const core = useCore();
  const [query, setQuery] = useState('');
  const { problem, failed } = useProblem();
  const provider = useCoreState('providers.list', {})?.find((one) => one.id === id);
  if (!provider) return null;
  return (
    <Models
      provider={provider}
      {...{ query, setQuery, problem, onClose }}
      footer={t('answer.modelStays', { name: `#${provider.tag}` })}
      onUse={(model) => saveModel(core, provider, model).then(onClose, failed)}
    />
  );
}

interface ModelsProps {
  provider: Parameters<typeof useAsk<'providers.models'>>[1]['provider'];
  query: string;
  setQuery(query: string): void;
  problem: string | null;
  footer: string;
  onUse(model: string): void;
  onClose(): void;
}

function Models({ provider, query, setQuery, problem, footer, onUse, onClose }: ModelsProps) {
  const { id, vendor, tag, model, format, baseUrl } = provider;
  const request = { ...{ id, vendor, tag, model }, ...(format && { format }), ...(baseUrl && { baseUrl }) };
  const { data, error, isPending } = useAsk('providers.models', { provider: request, refresh: false });
  const matches = search(query, data?.models ?? [], (name) => name);
  const unlisted = data?.problem ? problemText(data.problem) : error ? failureText(error) : null;
  const trouble = problem ?? unlisted;
  return (
    <PickDialog
      title={t('answer.model')}
      placeholder={t('answer.modelPlaceholder')}
      query={query}
      onQuery={setQuery}
      items={matches}
      keyOf={({ item }) => item}
      render={(result) => (
        <>
          <Sparkles size={14} strokeWidth={1.75} aria-hidden />
          <span className="ui-pick-main">{highlighted(result)}</span>
        </>
      )}
      onPick={({ item }) => onUse(item)}
      onOther={() => query.trim() !== '' && onUse(query.trim())}
      empty={isPending ? <Spinner /> : (trouble ?? t('answer.noModels'))}
      footer={footer}
      onClose={onClose}
    />
  );
}
