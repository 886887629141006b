import { stringify } from 'yaml';
import { printToolName } from './body';
import { printName } from './words';

export interface TemplateArgument {
  readonly name: string;
  /** What stands there until somebody writes another. */
  readonly value: unknown;
  readonly required: boolean;
  /** Told beside it where there are several. */
  readonly choices: readonly unknown[];
}

/** A filled block: required arguments first, optional ones as comments. It is valid as it stands. */
export function printToolTemplate(server: string, tool: string, args: readonly TemplateArgument[]): string {
  const body = [
    `tool: ${printToolName(tool)}`,
    ...args.filter(({ required }) => required).map(lineOf),
    ...args.filter(({ required }) => !required).map((arg) => lineOf(arg).replace(/^|\n/g, '$&# ')),
  ].join('\n');
  const longest = (body.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const mark = '`'.repeat(longest + 1);
  return `${mark}${printName(server)}\n${body}\n${mark}`;
}

function lineOf({ name, value, choices }: TemplateArgument): string {
  const yaml = stringify({ [name]: value }, { lineWidth: 0 }).trimEnd();
  if (choices.length < 2 || yaml.includes('\n')) return yaml;
  return `${yaml} # ${choices
    .map((choice) => JSON.stringify(choice))
    .join(' | ')
    .slice(0, 120)}`;
}
