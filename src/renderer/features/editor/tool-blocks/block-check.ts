import { type Extension, type Range, RangeSet, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import type { ToolEntry } from '../../../../contract/tools';
import { ofServer, type ToolBlock } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { type NoteContext, noteContext } from '../context/note-context';
import { element } from '../drawing/widgets';
import { blocksField } from '../reading/blocks';
import { argumentRows, checkArguments } from '../reading/tool-arguments';
import { isToolFence, readToolBlock, toolBlockAt, toolOf, toolsOf } from '../reading/tool-block';

class Problem extends WidgetType {
  constructor(private readonly message: string) {
    super();
  }
  override eq(other: Problem): boolean {
    return other.message === this.message;
  }
  toDOM(): HTMLElement {
    const message = element('div', 'cm-problem', this.message);
    message.setAttribute('role', 'status');
    return message;
  }
}

const setProblems = StateEffect.define<DecorationSet>();
const problems = StateField.define<DecorationSet>({
  create: () => RangeSet.empty,
  update(problems, transaction) {
    for (const effect of transaction.effects) if (effect.is(setProblems)) return effect.value;
    return problems.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A moment after typing stops, so that half a word is not called wrong. */
const delay = 350;

const checker = ViewPlugin.fromClass(
  class {
    private timer: ReturnType<typeof setTimeout> | undefined;
    constructor(private readonly view: EditorView) {
      this.later();
    }
    update(update: ViewUpdate) {
      const [before, now] = [update.startState.field(noteContext), update.state.field(noteContext)];
      const isKnownAnew = before.tools !== now.tools || before.offServers !== now.offServers;
      if (update.docChanged || update.viewportChanged || isKnownAnew) this.later();
    }
    private later() {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        const result = check(this.view);
        if (result.size > 0 || this.view.state.field(problems).size > 0) {
          this.view.dispatch({ effects: setProblems.of(result) });
        }
      }, delay);
    }
    destroy() {
      clearTimeout(this.timer);
    }
  },
);

function check(view: EditorView): DecorationSet {
  const { state } = view;
  const context = state.field(noteContext);
  const decorations: Range<Decoration>[] = [];
  const { from, to } = view.viewport;
  state.field(blocksField).set.between(from, to, (blockFrom, blockTo, value) => {
    const placed = { from: blockFrom, to: blockTo, value };
    if (blockTo - blockFrom > 100_000 || !isToolFence(state, placed)) return;
    const block = readToolBlock(state, placed);
    if (!block) return;
    const text = state.doc.sliceString(blockFrom, blockTo);
    for (const { under, message } of problemsOf(block, context)) {
      const line = state.doc.lineAt(blockFrom + (under === null ? 0 : lineOf(text, under)));
      const widget = new Problem(message);
      decorations.push(Decoration.widget({ widget, block: true, side: 1 }).range(line.to));
    }
  });
  return RangeSet.of(decorations, true);
}

interface Found {
  /** The key of its line; null: the server’s name. */
  readonly under: string | null;
  readonly message: string;
}

function problemsOf(
  block: ToolBlock,
  { tools, offServers }: Pick<NoteContext, 'tools' | 'offServers'>,
): Found[] {
  if (block.error !== null) return [{ under: 'tool', message: block.error }];
  const off = ofServer(offServers, block.server, (server) => server)[0];
  if (off) return [{ under: null, message: t(`check.server.${off.condition}`, { server: off.name }) }];
  const tool = toolOf(tools, block);
  if (tool)
    return checkArguments(tool.inputSchema, block.arguments ?? {}).map(({ argument, message }) => ({
      under: argument ?? 'tool',
      message,
    }));
  const isKnown = toolsOf(tools, block.server).length > 0;
  return isKnown
    ? [{ under: 'tool', message: t('check.noTool', { server: block.server, tool: block.tool }) }]
    : [];
}

function lineOf(text: string, key: string): number {
  const at = text.indexOf(`\n${key}:`);
  return at < 0 ? 0 : at + 1;
}

const documentation = hoverTooltip((view, at) => {
  const block = toolBlockAt(view.state, at);
  const tool = block && toolOf(view.state.field(noteContext).tools, block);
  const line = view.state.doc.lineAt(at);
  const key = /^([\w-]+):/.exec(line.text)?.[1];
  if (!tool || !key) return null;
  return {
    pos: line.from,
    end: line.to,
    above: true,
    create: () => ({ dom: key === 'tool' ? toolCard(tool) : argumentCard(tool, key) }),
  };
});

export function toolCard(tool: ToolEntry): HTMLElement {
  const card = element(
    'div',
    'cm-doc',
    element(
      'div',
      'cm-doc-title',
      tool.title || tool.name,
      element('span', 'cm-doc-server', tool.serverName),
    ),
    element('p', '', tool.description),
  );
  const table = element('table', '');
  for (const { name, type, required, description } of argumentRows(tool.inputSchema)) {
    const row = element('tr', '');
    row.append(
      element(
        'td',
        'cm-doc-name',
        name,
        required ? element('span', 'cm-doc-required', ` ${t('check.required')}`) : '',
      ),
      element('td', 'cm-doc-type', type),
      element('td', '', description),
    );
    table.append(row);
  }
  if (table.rows.length > 0) card.append(table);
  return card;
}

function argumentCard(tool: ToolEntry, key: string): HTMLElement {
  const row = argumentRows(tool.inputSchema).find(({ name }) => name === key);
  if (!row) return element('div', 'cm-doc', t('check.noArgument', { tool: tool.name, name: key }));
  return element(
    'div',
    'cm-doc',
    element('div', 'cm-doc-title', key, element('span', 'cm-doc-type', row.type)),
    element('p', '', row.required ? `${t('check.required')}. ` : '', row.description),
  );
}

/** What is wrong with a tool block stands under the line; what its words mean, over it. */
export const blockCheck: Extension = [problems, checker, documentation];
