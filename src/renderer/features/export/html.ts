import {
  type Conversation,
  findLinks,
  type ToolCallout,
  type Turn,
  type TurnPart,
  withLinksAs,
} from '../../../markdown';
import { escapeHtml, renderMarkdown } from '../../ui/render-markdown';

/** The picture of a path of the vault as a `data:` address; null where there is none. */
export type ImageOf = (path: string) => Promise<string | null>;

/** A page of its own: nothing is fetched when it is opened, and nothing in it runs. */
export async function conversationPage(
  title: string,
  text: string,
  conversation: Conversation,
  imageOf: ImageOf,
): Promise<string> {
  const { turns, newChats } = conversation;
  const intro = text.slice(conversation.frontMatter?.to ?? 0, turns[0]?.from ?? text.length);
  const parts: string[] = [await rendered(withoutTags(intro), imageOf)];
  for (const [index, turn] of turns.entries()) {
    const before = turns[index - 1]?.from ?? -1;
    if (newChats.some((at) => at > before && at < turn.from && index > 0)) parts.push('<hr>');
    parts.push(await turnHtml(text, turn, imageOf));
  }
  return page(escapeHtml(title), parts.join('\n'));
}

const withoutTags = (text: string) => text.replace(/^#\S+\s*$/gm, '').trim();

async function turnHtml(text: string, turn: Turn, imageOf: ImageOf): Promise<string> {
  const inside: string[] = [];
  for (const part of turn.parts) inside.push(await partHtml(text, part, imageOf));
  return `<section class="${turn.role}"><h2>${escapeHtml(turn.tag)}</h2>\n${inside.join('\n')}\n</section>`;
}

async function partHtml(text: string, part: TurnPart, imageOf: ImageOf): Promise<string> {
  switch (part.kind) {
    case 'text':
      return rendered(text.slice(part.from, part.to), imageOf);
    case 'call':
      return callHtml(part.call);
    case 'callout':
      return '';
  }
}

function callHtml({ server, tool, arguments: args, result }: ToolCallout): string {
  const parts = result.parts.map((part) => {
    if (part.kind === 'text' || part.kind === 'resource') return part.text;
    return part.kind === 'json'
      ? JSON.stringify(part.value, null, 2)
      : part.kind === 'link'
        ? part.uri
        : part.target;
  });
  const argumentList =
    Object.keys(args).length === 0 ? '' : `<pre>${escapeHtml(JSON.stringify(args, null, 2))}</pre>`;
  const name = `${escapeHtml(server)} · ${escapeHtml(tool)} · ${result.state}`;
  return `<details><summary>${name}</summary>${argumentList}<pre>${escapeHtml(parts.join('\n\n'))}</pre></details>`;
}

async function rendered(text: string, imageOf: ImageOf): Promise<string> {
  const embedded = new Map<string, string | null>();
  for (const { kind, target } of findLinks(text))
    if (kind === 'embed' && !embedded.has(target)) embedded.set(target, await imageOf(target));
  const plain = withLinksAs(text, ({ kind, target }, words) => {
    const data = kind === 'embed' ? embedded.get(target) : null;
    return data ? `![${target.replace(/[[\]\\]/g, '')}](${data})` : (kind === 'link' && words) || target;
  });
  return renderMarkdown(plain, image, { images: true });
}

/** A picture on the web is a link: a page that is opened later fetches nothing. */
function image({ address, words }: { readonly address: string; readonly words: string }): string {
  const [name, source] = [escapeHtml(words), escapeHtml(address)];
  return address.startsWith('data:image/')
    ? `<img alt="${name}" src="${source}">`
    : `<a href="${source}">${name || source}</a>`;
}

const page = (title: string, body: string) => `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
body { max-width: 46rem; margin: 3rem auto; padding: 0 1.5rem; font: 16px/1.6 system-ui, sans-serif; color: #1c1d20; }
h1 { font-size: 1.6rem; } section { margin: 1.8rem 0; padding-left: 1rem; border-left: 3px solid #c9cbd2; }
section > h2 { margin: 0 0 .3rem; font-size: .8rem; letter-spacing: .02em; color: #5b5e68; }
section.user { border-color: #8e3fa8; } section.assistant { border-color: #2a6a91; }
pre { overflow: auto; padding: .7rem .9rem; border-radius: 6px; background: #f4f4f2; white-space: pre-wrap; }
code { font: .875em/1.5 ui-monospace, monospace; } img { max-width: 100%; } table { border-collapse: collapse; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: left; }
details { margin: .6rem 0; color: #5b5e68; } a { color: #3b4fc4; }
@media print { body { margin: 0 auto; } section { break-inside: auto; } }
</style>
</head>
<body>
<h1>${title}</h1>
${body}
</body>
</html>
`;
