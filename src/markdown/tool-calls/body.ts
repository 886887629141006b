import { stringify } from 'yaml';
import { changedFault, changedNumber } from '../../contract/changed-number';
import { argumentsMost, boundedValue, YamlBeyond } from '../bounded-yaml';
import { hasMark, printWord, quoted, readName, withoutTags } from './words';

export interface ToolBody {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>> | null;
  readonly error: string | null;
}

const remembered = new Map<string, ToolBody | null>();
let rememberedLength = 0;

/**
 * Reads the body of a tool block: one `tool:` line, the rest one YAML mapping. Null where there is no such line; an
 * empty body is a block that somebody is about to write. A note is read at every change, so bodies are remembered.
 */
export function readToolBody(body: string): ToolBody | null {
  const cached = remembered.get(body);
  if (cached !== undefined) return cached;
  const result = readAnew(body);
  rememberedLength += body.length;
  if (rememberedLength > 2_000_000) {
    remembered.clear();
    rememberedLength = body.length;
  }
  remembered.set(body, result);
  return result;
}

function readAnew(body: string): ToolBody | null {
  if (body.trim() === '') {
    return { tool: '', arguments: {}, error: 'Name the tool: a line `tool: name` is missing.' };
  }
  const line = toolLine(body);
  if (!line) return null;
  const tool = readToolName(line.text.slice('tool:'.length));
  // An empty line in its place keeps line numbers in messages right.
  const rest = readArguments(body.slice(0, line.from) + body.slice(line.from + line.text.length));
  if (tool === '') return { tool, arguments: rest.arguments, error: 'Name the tool after `tool:`.' };
  return { tool, ...rest };
}

export function toolLine(body: string): { readonly from: number; readonly text: string } | null {
  const match = /(?<=^|\n)tool:[^\n]*/.exec(body);
  return match && { from: match.index, text: match[0] };
}

export function printToolBody(tool: string, args: Readonly<Record<string, unknown>>): string {
  return `tool: ${printToolName(tool)}${printArguments(args)}`;
}

export function printToolName(tool: string): string {
  return /[#']/.test(tool) ? quoted(tool) : printWord(tool);
}

function readToolName(text: string): string {
  const value = text.trim();
  if (value.startsWith('"')) return readName(value.replace(/"\s+#.*$/, '"'));
  const single = /^'([^']*)'/.exec(value);
  return single ? (single[1] ?? '') : value.replace(/(?:^|\s)#.*$/, '').trimEnd();
}

/** The lines below `tool:`, a line break first; empty for none. */
export function printArguments(args: Readonly<Record<string, unknown>>): string {
  if (Object.keys(args).length === 0) return '';
  const json = JSON.stringify(args);
  const yaml = stringify(args, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd();
  // YAML has many corners; whatever would not come back as it was is written as JSON, which is YAML too.
  const whole =
    yaml.isWellFormed() &&
    !/[\r\0]/.test(yaml) &&
    !hasMark(yaml) &&
    JSON.stringify(readArguments(`\n${yaml}`).arguments) === json;
  return `\n${whole ? yaml : withoutTags(json)}`;
}

/** Behind `name: `, on the same line. */
export function printValueInLine(value: unknown): string {
  const [line = '', ...more] = printArguments({ v: value }).slice(1).split('\n');
  return more.length === 0 && line.startsWith('v: ')
    ? line.slice('v: '.length)
    : withoutTags(JSON.stringify(value));
}

/** A name with its colon, on one line. */
export function printKeyInLine(name: string): string {
  const [line = '', ...more] = printArguments({ [name]: 0 })
    .slice(1)
    .split('\n');
  const isPlain = more.length === 0 && line === `${name}: 0` && /^[\p{L}\p{N}_$. -]+$/u.test(name);
  return isPlain ? `${name}: ` : `${JSON.stringify(name)}: `;
}

function readArguments(text: string): Omit<ToolBody, 'tool'> {
  try {
    const value = readYaml(text);
    if (value === null || value === undefined) return { arguments: {}, error: null };
    if (isMapping(value)) {
      JSON.stringify(value);
      return { arguments: value, error: null };
    }
    return { arguments: null, error: 'The arguments are not a YAML mapping (`name: value` lines).' };
  } catch (error) {
    // What cannot be sent, such as a value that holds itself, is no argument in any spelling.
    if (error instanceof YamlBeyond)
      return { arguments: null, error: `The arguments cannot be sent: ${error.message}` };
    const flat = readFlat(text);
    if (flat) return flat;
    return {
      arguments: null,
      error: `The arguments are not valid YAML: ${error instanceof Error ? error.message : error}`,
    };
  }
}

export const readYaml = (text: string): unknown => boundedValue(text, argumentsMost);

/** `name: value` lines that YAML refuses, such as `query: from: me`, as notes of the older plugin have them. */
function readFlat(text: string): Omit<ToolBody, 'tool'> | null {
  const values = new Map<string, unknown>();
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const pair = /^([\w.-]+):(?:[ \t](.*))?$/.exec(line);
    if (!pair?.[1] || values.has(pair[1])) return null;
    const source = (pair[2] ?? '').trim();
    const value = readFlatValue(source);
    const number = typeof value === 'string' ? null : changedNumber(source);
    if (number !== null)
      return { arguments: null, error: `The arguments cannot be sent: It ${changedFault(number)}.` };
    values.set(pair[1], value);
  }
  return { arguments: Object.fromEntries(values), error: null };
}

function readFlatValue(text: string): unknown {
  if (text === '' || text === 'null') return null;
  try {
    return JSON.parse(text);
  } catch {
    return /^'.*'$/.test(text) ? text.slice(1, -1) : text;
  }
}

export function isMapping(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
