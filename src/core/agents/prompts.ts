import type { Prompt } from '../../contract/agents';
import { AppError } from '../../contract/errors';
import type { PromptField } from '../../contract/front-matter-fields';
import { printForeignName, readFrontMatter } from '../../markdown';
import { type Clock, createObservable, type Log, type Observable } from '../foundation';
import type { Vault } from '../vault';
import { createNoteFolder } from './note-folder';

/** Prompt templates: notes in `.interlinear/prompts/`. They only ever become text that a person sees before it is sent. */
export interface Prompts {
  readonly list: Observable<Prompt[]>;
  /** The template with everything filled in, where names are only words: what a note is called, another hand may have chosen. Throws `vault.not-found`. */
  fill(
    path: string,
    values: { selection: string; note: string | null; arguments: Readonly<Record<string, string>> },
  ): string;
  close(): Promise<void>;
}

export function createPrompts(parts: {
  vault: Pick<Vault, 'state' | 'root' | 'read' | 'onDiskChange'>;
  clock: Clock;
  log: Log;
}): Prompts {
  const { vault, clock } = parts;
  const list = createObservable<Prompt[]>([]);
  const { close } = createNoteFolder({
    ...parts,
    folder: 'prompts',
    untrusted: true,
    readNote: readPromptNote,
    show: (prompts) => list.set([...prompts]),
  });

  return {
    list,
    fill(path, { selection, note, arguments: values }) {
      const prompt = list.get().find((one) => one.path === path);
      if (!prompt) throw new AppError('vault.not-found', 'There is no such prompt any more.', { path });
      const state = vault.state.get();
      return fillTemplate(prompt.template, selection, {
        vault: state.kind === 'open' ? printForeignName(state.name) : '',
        date: new Date(clock.now()).toISOString().slice(0, 10),
        note: printForeignName(note ?? ''),
        ...values,
      });
    },
    close,
  };
}

const placeholder = /\{\{\s*([\p{L}\p{N}_-]+)\s*\}\}/gu;
const ownNames = new Set(['selection', 's', 'vault', 'date', 'note']);

/** `{{selection}}` (in TARS `{{s}}`) and named values; without a place for it, a selection stands above the template. */
export function fillTemplate(
  template: string,
  selection: string,
  values: Readonly<Record<string, string>>,
): string {
  let placed = false;
  const text = template.replace(placeholder, (whole, name: string) => {
    if (name === 'selection' || name === 's') {
      placed = true;
      return selection;
    }
    return Object.hasOwn(values, name) ? (values[name] ?? '') : whole;
  });
  return placed || selection === '' ? text : `${selection}\n\n${text}`;
}

/** Arguments are those that the front matter lists, else the names in double braces. */
export function readPromptNote(path: string, text: string): Prompt {
  const frontMatter = readFrontMatter(text);
  const values: { readonly [Field in PromptField]?: unknown } = frontMatter?.values ?? {};
  const template = text.slice(frontMatter?.to ?? 0).trim();
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  const listed = (Array.isArray(values.arguments) ? values.arguments : []).flatMap((item: unknown) => {
    if (typeof item === 'string') return [{ name: item, description: '' }];
    if (typeof item !== 'object' || item === null || !('name' in item)) return [];
    const { name, description } = item as Record<string, unknown>;
    return [{ name: textOf(name), description: textOf(description) }];
  });
  const placeholders = [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .filter((name) => !ownNames.has(name) && !listed.some((argument) => argument.name === name));
  return {
    name: textOf(values.name).trim() || (path.split('/').pop() ?? path).replace(/\.md$/i, ''),
    path,
    description: textOf(values.description),
    arguments: [...listed, ...[...new Set(placeholders)].map((name) => ({ name, description: '' }))],
    takesSelection: [...template.matchAll(placeholder)].some(
      ([, name]) => name === 'selection' || name === 's',
    ),
    template,
  };
}
