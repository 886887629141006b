import {
  Composer,
  type Document,
  type DocumentOptions,
  isScalar,
  Lexer,
  type LineCounter,
  type ParsedNode,
  type ParseOptions,
  Parser,
  type SchemaOptions,
  visit,
  YAMLParseError,
} from 'yaml';
import { changedFault, isChanged } from '../contract/changed-number';

interface Most {
  readonly depth: number;
  /** Names, values, signs, blanks between them, comments and line breaks; a text is one however long it is. */
  readonly parts: number;
}

export const frontMatterMost: Most = { depth: 100, parts: 50_000 };
/** As deep as the arguments of a call may be. */
export const argumentsMost: Most = { depth: 200, parts: 200_000 };
const mostAliases = 1_000;

/** YAML that others wrote holds up the whole app while it is read: it is refused beyond these limits, and where no data can be what it says. */
export class YamlBeyond extends Error {}

/** Reads YAML whose writer is not known, in time that grows with its length alone. Throws `YamlBeyond`. */
export function boundedYaml(
  source: string,
  most: Most,
  options: ParseOptions & DocumentOptions & SchemaOptions = {},
): Document.Parsed {
  // The library compares each key with all before it, and draws the place of each error.
  const all = { logLevel: 'error', ...options, uniqueKeys: false, prettyErrors: false } as const;
  const tokens = tokensOf(source, most, options.lineCounter);
  const [document, second] = new Composer<ParsedNode>(all).compose(tokens, true, source.length);
  if (!document) throw new Error('Composed with its end, a text has a document, if an empty one.');
  if (second && all.logLevel !== 'silent')
    document.errors.push(
      new YAMLParseError(
        [second.range[0], second.range[1]],
        'MULTIPLE_DOCS',
        'Source contains multiple documents',
      ),
    );
  let aliases = 0;
  visit(document, {
    Alias: () => {
      if (++aliases > mostAliases)
        throw new YamlBeyond(`It has more than ${mostAliases.toLocaleString('en')} aliases (“*name”).`);
    },
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        const [from = 0, to = from] = key.range ?? [];
        if (keys.has(key.value))
          document.errors.push(new YAMLParseError([from, to], 'DUPLICATE_KEY', 'Map keys must be unique'));
        keys.add(key.value);
      }
    },
  });
  document.errors.sort((one, other) => one.pos[0] - other.pos[0]);
  return document;
}

/** As data that says the same; throws what is wrong with it. */
export function boundedValue(source: string, most: Most): unknown {
  const document = boundedYaml(source, most);
  const [error] = document.errors;
  if (error) throw error;
  visit(document, {
    Scalar: (_, { value, source: text }) => {
      if (typeof value === 'number' && text !== undefined && isChanged(text))
        throw new YamlBeyond(`It ${changedFault(text)}.`);
    },
  });
  return document.toJS({ maxAliasCount: 100 });
}

function* tokensOf(source: string, { depth, parts }: Most, lines?: LineCounter) {
  const parser = new Parser(lines?.addNewLine);
  let count = 0;
  let hasFailed = false;
  lines?.addNewLine(0);
  for (const lexeme of new Lexer().lex(source)) {
    if (++count > parts)
      throw new YamlBeyond(`It is too large: it has more than ${parts.toLocaleString('en')} parts.`);
    for (const token of parser.next(lexeme)) {
      // The first is told; an error for each sign of the rest would take most of the time.
      if (token.type !== 'error' || !hasFailed) yield token;
      hasFailed ||= token.type === 'error';
    }
    // The document and what is just read are no levels.
    if (parser.stack.length > depth + 2) throw new YamlBeyond(`It is nested more than ${depth} levels deep.`);
  }
  yield* parser.end();
}
