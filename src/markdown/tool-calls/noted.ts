import { lostComments, sorted, withKey } from '../yaml-key';
import { printToolBody, readToolBody, readYaml, toolLine } from './body';

type Arguments = Readonly<Record<string, unknown>>;

/** The body of a block that stands in a note, with the arguments of a call: what a person wrote beside them stays. */
export function withArguments(body: string, tool: string, args: Arguments): string {
  const present = readToolBody(body);
  // One that can't be read is a person's to mend.
  if (present?.tool === tool && sorted(present.arguments ?? {}) === sorted(args)) return body;
  const isRight = (text: string | null) => {
    const content = text === null ? null : readToolBody(text);
    return content?.tool === tool && content.error === null && sorted(content.arguments) === sorted(args);
  };
  const edited = present?.arguments ? withEach(body, present.arguments, args) : null;
  if (edited !== null && isRight(edited)) return edited;
  const anew = printToolBody(tool, args);
  const noted = [...commentsLostFrom(body, anew), anew].join('\n');
  return isRight(noted) ? noted : anew;
}

/** Argument by argument; `tool:` is a comment meanwhile, so that it keeps its place among them. */
function withEach(body: string, before: Arguments, after: Arguments): string | null {
  const line = toolLine(body);
  if (!line) return null;
  const comment = `#${line.text}`.trimEnd();
  let yaml: string | null = `${body.slice(0, line.from)}#${body.slice(line.from)}`;
  try {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const value = Object.hasOwn(after, name) ? after[name] : undefined;
      if (yaml !== null && sorted(before[name]) !== sorted(value))
        yaml = withKey(yaml, name, value, readYaml);
    }
  } catch {
    // Lines that YAML refuses.
    return null;
  }
  const lines = yaml?.replace(/\n$/, '').split('\n');
  const at = lines?.findIndex((each) => each.trim() === comment) ?? -1;
  return at === -1 ? null : (lines?.with(at, line.text).join('\n') ?? null);
}

/** Where the lines are no YAML only a line of its own is a comment. */
function commentsLostFrom(body: string, printed: string): readonly string[] {
  try {
    readYaml(body.replace(toolLine(body)?.text ?? '', ''));
    return lostComments(body, printed);
  } catch {
    return body.split('\n').filter((line) => line.startsWith('#'));
  }
}
