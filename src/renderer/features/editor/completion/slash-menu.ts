import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { type Offered, type OfferedPrompt, promptLabel } from '../context/offers';
import { blockAround } from '../reading/blocks';
import { roleTagsBefore } from '../reading/role-tag';
import { findOffers } from './find-offers';
import { type MenuOption, menu, offerCard, silentOptions } from './menu-options';

const most = 60;

/** `/` at the start of a line, or of what somebody says: prompts of the vault and of servers. */
export async function slashMenu(context: CompletionContext): Promise<CompletionResult | null> {
  if (typedIn(context) === null) return null;
  const { templates, offerServers, actions } = context.state.field(noteContext);
  return menuOf(await actions.offers.prompts(templates, offerServers), context);
}

function typedIn({ state, pos }: CompletionContext): string | null {
  const line = state.doc.lineAt(pos);
  const start = roleTagsBefore(state, pos).at(-1)?.to ?? 0;
  const text = line.text.slice(start, Math.max(start, pos - line.from));
  // Somebody who writes a path or a fraction is left in peace.
  const typed = /^\s*\/((?:[^\s/][^/]{0,60})?)$/.exec(text);
  return !typed || state.readOnly || blockAround(state, pos) ? null : (typed[1] ?? '');
}

function menuOf(offered: Offered<OfferedPrompt>, context: CompletionContext): CompletionResult | null {
  const query = typedIn(context);
  if (query === null) return null;
  const label = { label: promptLabel, description: descriptionOf };
  const options = findOffers(query, offered.items, label, most).map(({ item, letters }) =>
    option(item, letters),
  );
  return menu(
    context.pos - query.length - 1,
    query === '' ? [...options, ...silentOptions(offered.silent)] : options,
    (next) => menuOf(offered, next),
  );
}

export const descriptionOf = ({ prompt }: OfferedPrompt): string =>
  prompt.description || ('title' in prompt && prompt.title !== prompt.name ? prompt.title : '');

function option(offered: OfferedPrompt, letters: readonly number[]): MenuOption {
  const { prompt } = offered;
  const label = `/${promptLabel(offered)}`;
  const from = offered.kind === 'template' ? t('menu.template') : offered.server.name;
  const title = 'title' in prompt ? prompt.title : prompt.name;
  return {
    label,
    letters: letters.map((at) => at + 1),
    detail: descriptionOf(offered),
    section:
      offered.kind === 'template'
        ? { name: t('menu.templates'), rank: 1 }
        : { name: t('menu.promptsOf', { server: offered.server.name }), rank: 2 },
    info: () => offerCard(title, from, prompt.description, prompt.arguments),
    apply: (view, _completion, from, to) =>
      view.state.field(noteContext).actions.putPrompt(view, offered, { from, to }),
  };
}
