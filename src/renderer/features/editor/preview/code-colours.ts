import { LanguageDescription, type LanguageSupport } from '@codemirror/language';
import { type Extension, type Range, RangeSet } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { highlightTree, tags as t, tagHighlighter } from '@lezer/highlight';
import { languageOf } from '../../../../markdown';
import { blocksField } from '../reading/blocks';
import { isServerName } from '../reading/tool-block';

const colours = tagHighlighter([
  { tag: [t.keyword, t.modifier, t.operatorKeyword], class: 'cm-c-keyword' },
  { tag: [t.string, t.special(t.string), t.regexp], class: 'cm-c-string' },
  { tag: [t.number, t.bool, t.null, t.atom], class: 'cm-c-value' },
  { tag: [t.comment], class: 'cm-c-comment' },
  { tag: [t.function(t.variableName), t.definition(t.variableName), t.propertyName], class: 'cm-c-name' },
  { tag: [t.typeName, t.className, t.tagName], class: 'cm-c-type' },
]);

/** Longer code stays plain. */
const longest = 60_000;
const delay = 150;

/** Colours the code on the screen once it rests; colours move along with the text meanwhile. */
export const codeColours: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet = RangeSet.empty;
    private timer: ReturnType<typeof setTimeout> | undefined;
    private gone = false;
    constructor(private readonly view: EditorView) {
      this.later();
    }
    update(update: ViewUpdate) {
      if (update.docChanged) this.decorations = this.decorations.map(update.changes);
      if (update.docChanged || update.viewportChanged) this.later();
    }
    private later() {
      this.timer ??= setTimeout(() => void this.colour(), delay);
    }
    private async colour() {
      const languages = new Set<string>();
      eachFence(this.view, (language) => languages.add(language));
      const loaded = new Map<string, LanguageSupport>();
      for (const language of languages) {
        const support = await load(language);
        if (support) loaded.set(language, support);
      }
      this.timer = undefined;
      if (this.gone) return;
      const decorations: Range<Decoration>[] = [];
      eachFence(this.view, (language, from, text) => {
        const support = loaded.get(language);
        if (!support) return;
        highlightTree(support.language.parser.parse(text), colours, (start, end, className) => {
          decorations.push(Decoration.mark({ class: className }).range(from + start, from + end));
        });
      });
      this.decorations = RangeSet.of(decorations, true);
      this.view.dispatch({});
    }
    destroy() {
      this.gone = true;
      clearTimeout(this.timer);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

async function load(name: string): Promise<LanguageSupport | null> {
  try {
    const { languages } = await import('@codemirror/language-data');
    return (await LanguageDescription.matchLanguageName(languages, name, true)?.load()) ?? null;
  } catch {
    return null;
  }
}

function eachFence(view: EditorView, visit: (language: string, from: number, text: string) => void): void {
  const { state } = view;
  const { from, to } = view.viewport;
  state.field(blocksField).set.between(from, to, (blockFrom, blockTo, block) => {
    const { shape } = block;
    if (shape.kind !== 'fence' || blockTo - blockFrom > longest) return;
    const language = languageOf(shape.info);
    const first = state.doc.lineAt(blockFrom);
    const last = state.doc.lineAt(blockTo);
    if (!language || last.number <= first.number + 1) return;
    const start = first.to + 1;
    const code = isServerName(state, language) ? 'yaml' : (language.split(/\s/, 1)[0] ?? '');
    visit(code, start, state.doc.sliceString(start, last.from));
  });
}
