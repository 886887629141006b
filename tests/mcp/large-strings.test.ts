import { expect, onTestFinished, test } from 'vitest';
import type { ToolEntry } from '../../src/contract/tools';
import { createLog, openDatabase, systemClock } from '../../src/core/foundation';
import { createTools, runAlone } from '../../src/core/tools';
import { createMemorySettings } from '../support/in-memory';
import { ownPrograms } from '../support/test-programs';
import { idOf, ours, until, world } from './setup';

const count = 2_000_000;
/** In turn: a sign that takes six times its place when it is shown, ones that others escape, one that takes eight times. */
const signs = ['\u007f', '[', '\\', '\u202e'];

async function saying(sign: string) {
  const server = ours('large-strings');
  const { mcp } = await world({ long: { ...server, args: [...server.args, sign, String(count)] } });
  const log = createLog(() => undefined);
  const settings = createMemorySettings({ tools: { approval: 'allow' } });
  const database = openDatabase(':memory:', () => undefined);
  const tools = createTools({
    mcp,
    schemas: ownPrograms().schemas,
    settings,
    database,
    clock: systemClock,
    log,
  });
  onTestFinished(() => tools.close());
  const serverId = idOf(mcp, 'long');
  await mcp.ready(serverId);
  const ownOf = (entries: readonly ToolEntry[]) => entries.filter((entry) => entry.serverId === serverId);
  const catalog = ownOf(await until(tools.catalog, (entries) => ownOf(entries).length > 0));
  return { mcp, tools, serverId, names: catalog.map(({ name }) => name) };
}

test.each(signs)('no string of a result becomes many times as long as it came (%j)', async (sign) => {
  const { tools, serverId, names } = await saying(sign);
  expect(names).toHaveLength(18);
  for (const tool of names) {
    const pressed = tools.find(serverId, tool)?.revision ?? '';
    const made = { path: null, by: 'person', serverId, tool, arguments: {}, pressed } as const;
    const { parts } = await runAlone(tools, made, new AbortController().signal);
    const text = parts.map((part) => Object.values(part).map(textOf).join('')).join('');
    // Twice: a backslash is two in JSON.
    expect(text.length, tool).toBeLessThan(2 * count + 4_200_000);
    if (/name of a link|address|type of|many names/.test(tool))
      expect(text.length, tool).toBeLessThan(4_000_000);
  }
});

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

test.each(signs)('a prompt’s names and words by the way come cut (%j)', async (sign) => {
  const { mcp, serverId } = await saying(sign);
  const [prompt] = await mcp.prompts(serverId);
  expect(prompt?.description).toContain('… (cut; the whole has 2,000,000 characters');
  const { description, turns } = await mcp.getPrompt(serverId, 'p', {});
  const [link] = turns[1]?.parts ?? [];
  for (const words of [description, link?.kind === 'link' ? link.name : '']) {
    expect(words.length).toBeLessThan(10_100);
    expect(words).toMatch(/… \(cut; the whole has 2,000,000 characters\)$/);
  }
});
