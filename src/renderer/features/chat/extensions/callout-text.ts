/** What a callout says, for showing it: its sections are never read as markup. */
export interface CalloutText {
  readonly type: string;
  readonly title: string;
  readonly sections: readonly CalloutSection[];
}

export interface CalloutSection {
  /** The info string of a fence; null for plain lines. */
  readonly info: string | null;
  readonly text: string;
}

export function readCallout(source: string): CalloutText {
  const [head = '', ...rest] = source.split('\n');
  const found = /^> \[!([\w-]+)\][-+]?\s*(.*)$/.exec(head);
  const lines = rest.map((line) => line.replace(/^> ?/, ''));
  return {
    type: found?.[1]?.toLowerCase() ?? 'note',
    title: found?.[2]?.trim() ?? '',
    sections: sectionsOf(lines),
  };
}

function sectionsOf(lines: readonly string[]): CalloutSection[] {
  const sections: CalloutSection[] = [];
  let plain: string[] = [];
  let fence: { mark: string; info: string; lines: string[] } | null = null;
  const closePlain = () => {
    const text = plain.join('\n').trim();
    if (text) sections.push({ info: null, text });
    plain = [];
  };
  for (const line of lines) {
    if (fence) {
      if (line.startsWith(fence.mark) && line.slice(fence.mark.length).replaceAll('`', '').trim() === '') {
        sections.push({ info: fence.info, text: fence.lines.join('\n') });
        fence = null;
      } else fence.lines.push(line);
      continue;
    }
    const opened = /^(`{3,})([^`]*)$/.exec(line);
    if (opened) {
      closePlain();
      fence = { mark: opened[1] ?? '', info: opened[2]?.trim() ?? '', lines: [] };
    } else plain.push(line);
  }
  closePlain();
  if (fence) sections.push({ info: fence.info, text: fence.lines.join('\n') });
  return sections;
}

export type ShownState = 'running' | 'ok' | 'error' | 'cancelled' | 'denied' | 'interrupted';

export interface ShownCall {
  readonly server: string;
  readonly tool: string;
  readonly state: ShownState;
  readonly ms: number | null;
  readonly cached: boolean;
  readonly truncated: boolean;
  /** The block inside; null for the result of a block run by hand. */
  readonly block: string | null;
  readonly results: readonly CalloutSection[];
}

const states = new Set<string>(['running', 'ok', 'error', 'cancelled', 'denied', 'interrupted']);

export function readCall(callout: CalloutText): ShownCall {
  const result = callout.sections.find((section) => /^result\b/.test(section.info ?? ''));
  const words = result?.info?.split(/\s+/).slice(1) ?? [];
  const block = callout.sections.find(
    (section) => section.info && section !== result && /^tool:/m.test(section.text),
  );
  const [server = '', tool = ''] = nameOf(callout.title);
  const state =
    words.find((word) => states.has(word)) ?? (/\brunning\b/.test(callout.title) ? 'running' : 'ok');
  const ms = words.find((word) => word.startsWith('ms='))?.slice(3) ?? /(\d+) ?ms/.exec(callout.title)?.[1];
  return {
    server,
    tool,
    state: state as ShownState,
    ms: ms === undefined ? null : Number(ms),
    cached: words.includes('cached'),
    truncated: words.includes('truncated'),
    block: block ? `\`\`\`${block.info}\n${block.text}\n\`\`\`` : null,
    results: callout.sections.filter((section) => section !== block),
  };
}

/** `server · tool · 3 ms`, or the forms of TARS: `Tool Call (server: tool)`, `Tool Result (3ms)`. */
function nameOf(title: string): string[] {
  const tars = /^Tool Call \(([^:]+): ([^)]+)\)/.exec(title);
  if (tars) return [tars[1] ?? '', tars[2] ?? ''];
  if (title.startsWith('Tool Result')) return ['', 'result'];
  return title.split('·').map((part) => part.trim());
}

export function duration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
