import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { t } from '../../../base/text/text';
import { element } from '../drawing/widgets';

/** An entry of one of the editor's menus; CodeMirror hands it through as it is. */
export interface MenuOption extends Completion {
  /** Letters of the label that were typed. */
  readonly letters?: readonly number[];
}

export const lettersOf = (option: Completion): readonly number[] => (option as MenuOption).letters ?? [];

/**
 * Options that are sorted and filtered already. `again` finds them anew for what is typed next, at once: nobody's Enter
 * has to wait for a server.
 */
export function menu(
  from: number,
  options: readonly MenuOption[],
  again: (context: CompletionContext) => CompletionResult | null,
): CompletionResult | null {
  if (options.length === 0) return null;
  return {
    from,
    options,
    filter: false,
    getMatch: lettersOf,
    update: (_result, _from, _to, context) => again(context),
  };
}

/** Servers that could not be asked stand at the end: the list is not all there is. */
export function silentOptions(
  silent: readonly { readonly server: string; readonly reason: string }[],
): MenuOption[] {
  return silent.map(({ server, reason }) => ({
    label: server,
    detail: t('menu.notAsked'),
    type: 'silent',
    section: { name: t('menu.silent'), rank: 99 },
    info: () => element('div', 'cm-doc', element('p', '', reason)),
    apply: () => undefined,
  }));
}

export interface CardRow {
  readonly name: string;
  readonly required?: boolean;
  readonly description: string;
}

/** What stands beside the chosen entry. */
export function offerCard(
  title: string,
  from: string,
  text: string,
  rows: readonly CardRow[] = [],
): HTMLElement {
  const card = element(
    'div',
    'cm-doc',
    element('div', 'cm-doc-title', title, element('span', 'cm-doc-server', from)),
  );
  if (text !== '') card.append(element('p', '', text));
  const table = element('table', '');
  for (const { name, required, description } of rows) {
    const mark = required ? element('span', 'cm-doc-required', ` ${t('check.required')}`) : '';
    const row = element('tr', '');
    row.append(element('td', 'cm-doc-name', name, mark), element('td', '', description));
    table.append(row);
  }
  if (rows.length > 0) card.append(table);
  return card;
}
