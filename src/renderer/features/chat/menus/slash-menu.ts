import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { t } from '../../../app/text';
import { blockAround } from '../extensions/blocks';
import { noteContext } from '../extensions/note-context';
import { roleTagsOf } from '../extensions/role-tag';
import { findOffers } from './find-offers';
import { type MenuOption, menu, offerCard, silentOptions } from './menu-options';
import { type OfferedPrompt, promptLabel } from './offers';

const most = 60;

/** `/` at the start of a line, or of what somebody says: prompts of the vault and of servers. */
export async function slashMenu(context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos } = context;
  const line = state.doc.lineAt(pos);
  const { tags, templates, lenders, actions } = state.field(noteContext);
  const start = roleTagsOf(line.text, tags).at(-1)?.to ?? 0;
  const typed = /^\s*\/((?:[^\s/][^/]{0,60})?)$/.exec(
    line.text.slice(start, Math.max(start, pos - line.from)),
  );
  if (!typed || state.readOnly || blockAround(state, pos)) return null;
  const query = typed[1] ?? '';
  const from = pos - query.length - 1;

  const { found, silent } = await actions.offers.prompts(templates, lenders);
  const matches = findOffers(query, found, { label: promptLabel, description: descriptionOf }, most);
  const options = matches.map(({ item, letters }) => option(item, letters));
  const isSearch = query.trim() !== '';
  // Somebody who writes a path or a fraction is left in peace.
  return menu(from, isSearch ? options : [...options, ...silentOptions(silent)]);
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
