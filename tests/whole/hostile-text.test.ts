import { expect, test } from 'vitest';
import { readPromptSlides } from '../../src/core/agents/tars';
import {
  createLog,
  hideSecrets,
  inert,
  isReference,
  isSecretInAddress,
  maskedAddress,
  maskedArgs,
  maskedText,
} from '../../src/core/foundation';
import { recognise } from '../../src/core/mcp/config/import-config';
import { readCallResult } from '../../src/core/mcp/features/call-result';
import { withoutJson } from '../../src/core/mcp/fence/foreign-words';
import { tellingLines } from '../../src/core/mcp/fence/telling-lines';
import { plainEnds } from '../../src/entities/base/line-ends';
import { idIn } from '../../src/entities/entity/model/model';
import { withPlainStart } from '../../src/entities/entity/note/plain-start';
import { quickMapping } from '../../src/entities/entity/note/quick-mapping';
import { idOf, readParts } from '../../src/entities/entity/note/read';
import { idsTaken } from '../../src/entities/entity/note/taken';
import { wordsOf } from '../../src/entities/search/words';
import {
  createTextGuard,
  fileName,
  findHeadings,
  findLinks,
  findResourceLinks,
  parseConversation,
  printForeignText,
  printNotSent,
  readFrontMatter,
  readToolCallout,
  sectionOf,
} from '../../src/markdown';
import { cost, hostileTexts } from '../support/hostile-texts';

const tags = { newChat: ['NewChat'], user: ['User'], system: ['System'], assistant: ['Claude'] };
const headed = (text: string) => `---\nid: T-001\nx: ${text}\n---\n`;

/** The library that reads YAML takes long for each mistake, but no longer for many. */
const part = (text: string) => text.slice(0, text.length / 10);

/** Whatever reads a text of a server, a provider, a model or a vault that others wrote. */
const readers: Record<string, (text: string) => unknown> = {
  'a line of the log': (text) => createLog(() => {}).info('read', { text, [text]: text }),
  maskedText,
  maskedAddress,
  'maskedAddress of the web': (text) => maskedAddress(`https://host/${text}`),
  isSecretInAddress,
  isReference,
  maskedArgs: (text) => maskedArgs(['--token', text, text, '-H', text]),
  'hideSecrets of a key': (text) => hideSecrets(text, ['sec\\ret/"key&1234567890', 'keys']),
  'hideSecrets of words': (text) => hideSecrets(text, ['correct horse \\\\ battery', ' \\ \\ \\ \\']),
  inert,
  withoutJson,
  recognise,
  tellingLines: (text) => tellingLines([...text.split('\n'), text]),
  'a picture of a server': (text) =>
    caught(() => readCallResult({ content: [{ type: 'image', mimeType: 'image/png', data: text }] }, [])),
  'an answer of a server twice': (text) =>
    readCallResult({ content: [{ type: 'text', text }], structuredContent: { text } }, []),
  readPromptSlides: (text) => readPromptSlides(`---\n# ${text}`),
  'an answer of a model at once': (text) => answered(text, text.length),
  'an answer of a model in pieces': (text) => answered(text, 200),
  parseConversation: (text) => parseConversation(`#User : ${text}`, tags, ['m']),
  findLinks,
  findHeadings: (text) => findHeadings(`# ${text}\n\n${text}\n===\n`),
  findResourceLinks,
  sectionOf: (text) => sectionOf(text, 'none', null),
  fileName: (text) => fileName(text, 'text/plain'),
  printForeignText: (text) => printForeignText(text, tags, ''),
  printNotSent: (text) => printNotSent([text]),
  readToolCallout: (text) => readToolCallout(`> [!tool]- ${text}\n> ${text}`),
  readFrontMatter: (text) => readFrontMatter(headed(part(text))),
  idIn,
  withPlainStart,
  quickMapping: (text) => quickMapping(`a: ${text}\n`),
  readParts: (text) => readParts(headed(part(text))),
  idOf: (text) => idOf(headed(part(text))),
  idsTaken: (text) => idsTaken(Buffer.from(headed(text))),
  plainEnds: (text) => plainEnds(`\r\n${text}`),
  wordsOf,
};

function answered(text: string, piece: number): void {
  const guard = createTextGuard(tags, '#Claude : ');
  for (let at = 0; at < text.length; at += piece) guard.push(text.slice(at, at + piece));
  guard.end();
}

function caught(work: () => unknown): void {
  try {
    work();
  } catch {
    // What is wrong with it is not asked here.
  }
}

/** What takes ever longer is seen at a size at which it does not yet take minutes. */
const sizes = [1_000, 8_000, 60_000];
const [least, most] = [60, 500];

test.each(Object.entries(readers))(
  '%s takes no longer than the text is long, whatever it is',
  (_, read) => {
    const slow = new Map<string, number>();
    for (const size of sizes)
      for (const [name, text] of hostileTexts(size)) {
        if (slow.size > 5) break;
        const limit = Math.max(least, (most * size) / 60_000);
        const ms = slow.has(name) ? 0 : cost(() => read(text), limit);
        if (ms > limit) slow.set(name, Math.round(ms));
      }
    expect([...slow]).toEqual([]);
  },
  120_000,
);
