import { LineCounter, visit } from 'yaml';
import { boundedYaml, frontMatterMost } from './bounded-yaml';

/**
 * YAML as data, for people who mean what they wrote: a number that no number here can hold exactly, or that is written in
 * another base, is the text that it is written as. A set or an ordered map of YAML's
 * own is the mapping or list that it is written as. Throws what is wrong with it.
 */
export function dataOf(source: string): unknown {
  const lineCounter = new LineCounter();
  const document = boundedYaml(source, frontMatterMost, { lineCounter, resolveKnownTags: false });
  const [error] = document.errors;
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw new Error(`${error.message} at line ${line}, column ${col}.`, { cause: error });
  }
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === 'number' && node.source !== undefined && !isExact(node.source, node.value))
        node.value = node.source;
    },
  });
  return document.toJS({ maxAliasCount: 100 });
}

function isExact(text: string, value: number): boolean {
  if (!Number.isFinite(value) || /^[-+]?0[xo]/i.test(text)) return false;
  if (/^[-+]?\d+$/.test(text)) return Number.isSafeInteger(value) || String(value) === text;
  return digits(text) === digits(String(value));
}

/** Those that count, wherever the point is. */
function digits(text: string): string {
  return (text.split(/e/i)[0] ?? '').replace(/[-+.]/g, '').replace(/^0+|(?<!0)0+$/g, '');
}
