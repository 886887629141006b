import type { EditorView } from '@codemirror/view';
import { FileText, MessageSquareText, Paperclip, Unplug } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { highlighted, search } from '../../../base/text/fuzzy';
import { t } from '../../../base/text/text';
import { PickDialog, Spinner } from '../../../ui';
import { linkTo, noteTargets, resourceDetail, resourceLabel } from '../../editor/completion/at-menu';
import { descriptionOf } from '../../editor/completion/slash-menu';
import { noteContext } from '../../editor/context/note-context';
import {
  type Offered,
  type OfferedPrompt,
  type OfferedResource,
  promptLabel,
} from '../../editor/context/offers';
import { holdRange, placeOf } from '../../editor/insert/held-range';
import { insertWords } from '../../editor/insert/insert-turns';

interface PickerProps {
  view: EditorView;
  onClose(): void;
}

/** The prompts of the vault and of all servers, from the palette. */
export function PromptPicker({ view, onClose }: PickerProps) {
  const [query, setQuery] = useState('');
  const { templates, offerServers, actions } = view.state.field(noteContext);
  const offered = useOffered(() => actions.offers.prompts(templates, offerServers));
  const matches = search(query, offered?.items ?? [], promptLabel);
  const use = (prompt: OfferedPrompt) => actions.putPrompt(view, prompt, placeOf(view.state));
  return (
    <PickDialog
      title={t('note.command.prompt')}
      placeholder={t('prompt.placeholder')}
      query={query}
      onQuery={setQuery}
      items={matches}
      keyOf={({ text }) => text}
      render={(result) => (
        <>
          <MessageSquareText size={14} strokeWidth={1.75} aria-hidden />
          <span className="ui-pick-main">{highlighted(result)}</span>
          <span className="ui-pick-side">{descriptionOf(result.item)}</span>
        </>
      )}
      onPick={({ item }) => use(item)}
      empty={offered ? t('prompt.none') : <Spinner />}
      footer={offered && offered.silent.length > 0 && <Silent silent={offered.silent} />}
      onClose={onClose}
    />
  );
}

type Attachable =
  | { readonly kind: 'note'; readonly path: string; readonly target: string }
  | { readonly kind: 'resource'; readonly resource: OfferedResource };

/** Notes, and servers’ resources. */
export function AttachmentPicker({ view, onClose }: PickerProps) {
  const [query, setQuery] = useState('');
  const { offerServers, actions, path } = view.state.field(noteContext);
  const offered = useOffered(() => actions.offers.resources(offerServers));
  const all = useMemo((): Attachable[] => {
    const resources = (offered?.items ?? []).map((resource) => ({ kind: 'resource', resource }) as const);
    const notes = noteTargets(actions.listNotes().filter((note) => note !== path));
    return [...resources, ...notes.map((note) => ({ kind: 'note', ...note }) as const)];
  }, [offered, actions, path]);
  const matches = search(query, all, (one) =>
    one.kind === 'note' ? one.target : resourceLabel(one.resource),
  );

  const attach = (one: Attachable) => {
    const { from, to } = view.state.selection.main;
    if (one.kind === 'resource' && one.resource.address.kind === 'template')
      return actions.ask(view, { kind: 'resource', resource: one.resource }, { from: to, to });
    onClose();
    const words = one.kind === 'note' ? `[[${one.target}]]` : linkTo(one.resource, one.resource.address.text);
    requestAnimationFrame(() => {
      view.dispatch({ effects: holdRange.of({ from: Math.max(from, to), to }) });
      insertWords(view, words);
    });
    return undefined;
  };
  return (
    <PickDialog
      title={t('note.command.attach')}
      placeholder={t('attach.placeholder')}
      query={query}
      onQuery={setQuery}
      items={matches}
      keyOf={({ item }) =>
        item.kind === 'note' ? item.path : `${item.resource.server.id} ${item.resource.address.text}`
      }
      render={(result) => {
        const { item } = result;
        const Icon = item.kind === 'note' ? FileText : Paperclip;
        const side =
          item.kind === 'note'
            ? item.path
            : `${item.resource.server.name} · ${resourceDetail(item.resource)}`;
        return (
          <>
            <Icon size={14} strokeWidth={1.75} aria-hidden />
            <span className="ui-pick-main">{highlighted(result)}</span>
            <span className="ui-pick-side">{side}</span>
          </>
        );
      }}
      onPick={({ item }) => attach(item)}
      empty={offered ? t('attach.none') : <Spinner />}
      footer={offered && offered.silent.length > 0 && <Silent silent={offered.silent} />}
      onClose={onClose}
    />
  );
}

/** Null as long as nobody has answered. */
function useOffered<T>(list: () => Promise<Offered<T>>): Offered<T> | null {
  const [offered, setOffered] = useState<Offered<T> | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, when the list is opened.
  useEffect(() => {
    let isClosed = false;
    void list().then((offers) => isClosed || setOffered(offers));
    return () => {
      isClosed = true;
    };
  }, []);
  return offered;
}

function Silent({ silent }: { silent: Offered<unknown>['silent'] }): ReactNode {
  return silent.map(({ server, reason }) => (
    <span key={server} className="note-silent" title={reason}>
      <Unplug size={12} aria-hidden /> {t('menu.silentServer', { server, reason })}
    </span>
  ));
}
