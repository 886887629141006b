import { AppError } from '../../../contract/errors';
import type { NoteField } from '../../../contract/front-matter-fields';
import { readFrontMatter } from '../../../markdown';

/** What a note's front matter says of its answers. */
export interface NoteSettings {
  readonly agent: string | null;
  readonly model: string | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  readonly reasoning: 'none' | 'low' | 'medium' | 'high' | null;
  readonly webSearch: boolean | null;
  readonly parameters: Readonly<Record<string, unknown>> | null;
  readonly tools: readonly string[] | null;
  readonly approval: 'ask' | 'allow' | 'deny' | null;
  readonly warnings: readonly string[];
}

/** Else two rules with text between them stand at the top of the note. */
const looksLikeProperties = /^[\w-]+:(\s|$)/m;

/** Throws `request.invalid` for front matter that cannot be read: it may say who answers and with which tools. */
export function readNoteSettings(text: string): NoteSettings {
  const frontMatter = readFrontMatter(text);
  const values = frontMatter?.values ?? {};
  if (frontMatter?.problem && looksLikeProperties.test(text.slice(frontMatter.from, frontMatter.to)))
    throw unreadable(frontMatter.problem);
  const warnings: string[] = frontMatter?.problem ? [`Front matter: ${frontMatter.problem}`] : [];

  function read<T>(key: NoteField, convert: (value: unknown) => T | null): T | null {
    const value = values[key];
    if (value === undefined || value === null) return null;
    const converted = convert(value);
    if (converted === null) warnings.push(`Front matter: \`${key}\` cannot be used as it is written.`);
    return converted;
  }
  const words = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null);
  const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);

  return {
    agent: read('agent', words),
    model: read('model', words),
    temperature: read('temperature', number),
    maxTokens: read('max_tokens', (value) =>
      Number.isInteger(value) && Number(value) > 0 ? Number(value) : null,
    ),
    reasoning: read('reasoning', (value) =>
      value === 'none' || value === 'low' || value === 'medium' || value === 'high' ? value : null,
    ),
    webSearch: read('web_search', (value) => (typeof value === 'boolean' ? value : null)),
    parameters: read('parameters', (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : null,
    ),
    tools: read('tools', (value) => {
      if (typeof value === 'string') return value.split(/[\s,]+/).filter((glob) => glob !== '');
      return Array.isArray(value) && value.every((glob) => typeof glob === 'string') ? value : null;
    }),
    approval: read('approval', (value) =>
      value === 'ask' || value === 'allow' || value === 'deny' ? value : null,
    ),
    warnings,
  };
}

function unreadable(problem: string): AppError<'request.invalid'> {
  const message = `The properties at the top of this note cannot be read. Mend them, then ask again. ${problem.split('\n', 1).join()}`;
  return new AppError('request.invalid', message, { issues: [problem] });
}
