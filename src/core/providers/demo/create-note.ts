import { errorWords } from './results';
import { callsNamed, type Step, type Turn, toolNamed } from './turn';
import { notePaths, quotedParts } from './words';

const creating =
  /\b(create|make|write|start|add)\s+(me\s+)?((a|an|the|another|one)\s+)?([\w-]+\s+){0,2}(note|page|document|file)\b|\bnew (note|page|document|file)\b|(新建|创建|写)[^。？！\n]{0,20}(笔记|文件|文档)/i;
const appending = /\b(?:add|append|write|put)\s+(\S.{0,1000}?)\s{1,20}(?:to|into|in)\s{1,20}\S/i;

/** "Create a note called X with …", "add … to [[X]]". */
export function createNote(turn: Turn): Step | null {
  const tool = toolNamed(turn, 'update_doc');
  const { question } = turn;
  const named = notePaths(question);
  const append = named.length > 0 ? appending.exec(question)?.[1] : undefined;
  const isNew = creating.test(question);
  if (!tool || (!isNew && append === undefined)) return null;

  const done = callsNamed(turn, 'update_doc').at(-1);
  if (done) {
    const path = String(done.arguments.path ?? '');
    const link = `[[${path.replace(/\.md$/, '')}]]`;
    const words = done.arguments.create
      ? `The note ${link} is there now.`
      : `It is at the end of ${link} now.`;
    return { text: done.isError ? `That did not work: ${errorWords(done.result)}` : words, calls: [] };
  }
  if (!isNew && append !== undefined) {
    const text = quotedParts(append)[0] ?? append;
    return {
      text: `I'll add that to ${named[0]}.`,
      calls: [{ name: tool.name, arguments: { path: named[0], append: `\n${text}\n` } }],
    };
  }
  const path = named[0] ?? `${safeName(titleIn(question))}.md`;
  const title = path.split('/').at(-1)?.replace(/\.md$/, '') ?? path;
  const body = contentIn(question) ?? 'Written by the Demo (no model).';
  return {
    text: `I'll create ${path}.`,
    calls: [{ name: tool.name, arguments: { path, content: `# ${title}\n\n${body}\n`, create: true } }],
  };
}

function titleIn(question: string): string {
  const called = /\b(?:called|named|titled|about|for|on)\s+([^.,:;!?\n]{1,80})/i.exec(question)?.[1];
  const cut = called?.split(/\b(?:with|saying|that says|containing|in the folder)\b/i)[0]?.trim();
  const after = /(?:叫做?|名为|关于)\s*([^，。：！？\n]{1,40})/.exec(question)?.[1];
  const quoted = quotedParts(question)[0];
  const title = quoted ?? cut ?? after;
  return title ? title.replace(/^(the|a|an)\s+/i, '') : 'New note';
}

function contentIn(question: string): string | null {
  const trailing =
    /(?:\b(?:saying|that says|containing|with(?: the)?(?: text| content| line| words)?)\b|内容(?:是|为)?)(?:\s*:)?([\s\S]+)/i.exec(
      question,
    )?.[1];
  const after = /:([\s\S]+)/.exec(question)?.[1];
  const text = (trailing ?? after)?.trim();
  if (!text) return null;
  const quoted = /^["“'`「]([\s\S]+?)["”'`」][.!]?$/.exec(text)?.[1];
  return quoted ?? text;
}

function safeName(title: string): string {
  const name = title
    .replace(/[\\/:*?"<>|#^[\]]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return name === '' ? 'New note' : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
