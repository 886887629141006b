import type { EditorState } from '@codemirror/state';
import { codeLines, quoted } from '../../../../markdown';
import { blocksField, calloutType, sourceOf } from './blocks';

export interface BlockLine {
  /** Of its element. */
  readonly names: string;
  readonly isCallout: boolean;
  /** Of a callout: in a fence. */
  readonly isCode: boolean;
  /** Code in a quote. */
  readonly isQuoted: boolean;
}

/** The class of every visible line that belongs to a block, by the line's start. */
export function linesInBlocks(state: EditorState, from: number, to: number): Map<number, BlockLine> {
  const lines = new Map<number, BlockLine>();
  state.field(blocksField).set.between(from, to, (blockFrom, blockTo, block) => {
    const type = calloutType(block);
    const isCallout = type !== null;
    const code = isCallout ? codeLines(sourceOf(state, { from: blockFrom, to: blockTo, value: block })) : [];
    const { doc } = state;
    const firstLine = doc.lineAt(blockFrom).number;
    const lastLine = doc.lineAt(Math.min(to, blockTo)).number;
    for (let number = doc.lineAt(Math.max(from, blockFrom)).number; number <= lastLine; number++) {
      const line = doc.line(number);
      const isCode = code[number - firstLine] ?? false;
      const names = [`cm-${block.shape.kind}`];
      if (isCallout) names.push(`cm-callout-${type}`);
      const isSingle = block.shape.kind === 'code';
      const isQuoted = isSingle && quoted(line.text) !== null;
      if (isQuoted) names.push('cm-quote');
      if (!isSingle && line.from === blockFrom) names.push('cm-block-first');
      if (!isSingle && line.to >= blockTo) names.push('cm-block-last');
      lines.set(line.from, { names: names.join(' '), isCallout, isCode, isQuoted });
    }
  });
  return lines;
}
