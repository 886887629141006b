import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { analyse } from 'scslre';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

interface Found {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** What is written between quotes, with constants of the same file put in; a word stands for what only running tells. */
function textOf(node: ts.Node, file: ts.SourceFile): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return node.templateSpans.reduce(
      (text, span) => text + textOf(span.expression, file) + span.literal.text,
      node.head.text,
    );
  if (ts.isBinaryExpression(node)) return textOf(node.left, file) + textOf(node.right, file);
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source')
    return textOf(node.expression, file);
  if (ts.isRegularExpressionLiteral(node)) return literalOf(node).source;
  if (ts.isIdentifier(node)) {
    const value = file.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find(({ name }) => ts.isIdentifier(name) && name.text === node.text)?.initializer;
    if (value) return textOf(value, file);
  }
  return 'x';
}

function literalOf({ text }: ts.RegularExpressionLiteral) {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

function regexesIn(path: string, text: string): Found[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  const visit = (node: ts.Node): void => {
    const at = () => ({ file: path, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 });
    if (ts.isRegularExpressionLiteral(node)) found.push({ ...at(), ...literalOf(node) });
    const isMade = ts.isNewExpression(node) || ts.isCallExpression(node);
    if (isMade && ts.isIdentifier(node.expression) && node.expression.text === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source)
        found.push({ ...at(), source: textOf(source, file), flags: flags ? textOf(flags, file) : '' });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/**
 * With which sign repeated, and by what in it, a regular expression takes more than linear time. What only several signs in turn
 * would slow down is not found.
 */
function attacks({ source, flags }: Found): string[] {
  return analyse({ source, flags }).reports.map((report) => {
    const parts = report.type === 'Trade' ? [report.startQuant, report.endQuant] : [report.quant];
    return `${JSON.stringify(report.character.pick)} again and again, in ${parts.map(({ raw }) => raw).join(' and ')}`;
  });
}

const describe = (one: Found) =>
  attacks(one).map((attack) => `${one.file}:${one.line} /${one.source}/${one.flags}: ${attack}`);

const ofAll = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'))
  .map((name) => join('src', name).replaceAll('\\', '/'))
  .flatMap((path) => regexesIn(path, readFileSync(join(root, path), 'utf8')));

test('no regular expression takes more than linear time for one sign again and again', () => {
  expect(ofAll.length).toBeGreaterThan(1_000);
  const slow = ofAll.flatMap(describe);
  expect(slow).toEqual([]);
});

test('a slow one is found: as a literal, of text, and of constants that are put together', () => {
  const planted = `
    const blanks = '[ \\\\t]*';
    text.replace(/\\s+$/, '');
    new RegExp('\\\\d+x', 'g');
    RegExp(\`^\${blanks}:\${blanks}\${blanks}$\`);
    /(?<!\\s)\\s+$/.test(text);
  `;
  expect(regexesIn('planted.ts', planted).map((one) => [one.line, attacks(one).length > 0])).toEqual([
    [3, true],
    [4, true],
    [5, true],
    [6, false],
  ]);
});
