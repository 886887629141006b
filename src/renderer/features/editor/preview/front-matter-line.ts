import type { Text } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
import { t } from '../../../base/text/text';
import { setFold } from '../drawing/fold-mode';
import { icon } from '../drawing/icons';
import { button, element } from '../drawing/widgets';

/** The properties of a note on one line; a click shows them. */
export class FrontMatterLine extends WidgetType {
  constructor(private readonly source: Text) {
    super();
  }
  override eq(other: FrontMatterLine): boolean {
    return other.source.eq(this.source);
  }
  override get estimatedHeight(): number {
    return 36;
  }
  toDOM(view: EditorView): HTMLElement {
    const keys: string[] = [];
    for (const line of this.source.iterLines()) {
      const key = /^([\p{L}_][\p{L}\p{N}_-]*)\s*:(.*)$/u.exec(line);
      const value = key?.[2]?.trimStart();
      if (key) keys.push(value ? `${key[1]}: ${value}` : `${key[1]}`);
    }
    const label = keys.slice(0, 4).join('  ·  ') + (keys.length > 4 ? '  ·  …' : '');
    const words = element('span', 'cm-front-matter-text', label || t('note.properties'));
    const act = () => {
      const at = view.posAtDOM(open);
      view.dispatch({ effects: setFold.of({ at, mode: 'source' }), selection: { anchor: at + 4 } });
      view.focus();
    };
    const open = button('cm-front-matter-line', t('note.editProperties'), act, icon('sliders'), words);
    return open;
  }
  override ignoreEvent(): boolean {
    return true;
  }
}
