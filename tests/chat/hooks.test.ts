import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createHooks } from '../../src/core/chat/hooks';
import { createLog, createPicture } from '../../src/core/foundation';
import type { BroughtThing } from '../../src/core/settings';
import type { OwnChange } from '../../src/core/vault';
import { createHouse } from './support/house';
import { says } from './support/scripted-provider';

const template = {
  name: 'Sum',
  path: 'Sum.md',
  description: '',
  arguments: [],
  takesSelection: false,
  template: 'Sum up {{note}}.',
};

function hooked(
  hooks: unknown,
  options: {
    trusted?: boolean;
    isAgreed?: (thing: BroughtThing) => boolean;
    house?: Parameters<typeof createHouse>[0];
  } = {},
) {
  const root = mkdtempSync(join(tmpdir(), 'interlinear-hooks-'));
  mkdirSync(join(root, '.interlinear'));
  writeFileSync(
    join(root, '.interlinear/hooks.json'),
    typeof hooks === 'string' ? hooks : JSON.stringify({ hooks }),
  );
  const { notes, chat, tools, settings, clock, note, path, requests } = createHouse(options.house ?? {});
  const problems: string[] = [];
  const listeners = new Set<(change: OwnChange) => void>();
  const made = createHooks({
    notes,
    chat,
    tools,
    settings,
    clock,
    vault: {
      state: createPicture({
        kind: 'open' as const,
        name: 'V',
        path: root,
        trusted: options.trusted ?? true,
      }) as never,
      root: () => root,
      onOwnChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    prompts: { list: createPicture([template]), fill: (_path, { note }) => `Sum up ${note}.` },
    log: createLog(() => undefined),
    isAgreed: options.isAgreed ?? (() => true),
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(async () => {
    await made.close();
    await chat.close();
    rmSync(root, { recursive: true, force: true });
  });
  const saved = () => {
    for (const listener of listeners) listener({ kind: 'written', path, version: 'v' });
  };
  return { path, note, clock, requests, hooks: made, problems, saved };
}

test('a prompt is asked when a note is saved, and its own writing starts nothing', async () => {
  const house = hooked([{ name: 'Sum', on: 'saved', note: '*.md', run: { prompt: 'sum' } }], {
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  house.saved();
  await expect.poll(() => house.note.text()).toContain('#Claude : Short.');
  expect(house.note.text()).toContain('#User : Sum up Talk.md.');
  house.saved();
  await house.hooks.close();
  expect(house.requests).toHaveLength(1);
  expect(house.problems).toEqual([]);
});

test('nothing runs in a vault that nobody trusts', async () => {
  const house = hooked([{ name: 'Sum', on: 'saved', run: { prompt: 'sum' } }], {
    trusted: false,
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  house.saved();
  house.hooks.opened(house.path);
  await house.hooks.close();
  expect(house.note.text()).toBe('Some text');
});

test('a hook that nobody agreed to does nothing, and those beside it go on', async () => {
  const hook = (name: string, on: string) => ({ name, on, run: { prompt: 'sum' } });
  const house = hooked([hook('Agreed', 'note-opened'), hook('Slipped in', 'saved')], {
    isAgreed: ({ name }) => name === 'Agreed',
    house: { note: 'Some text', scripts: [() => says('Short.')] },
  });
  house.saved();
  await new Promise(setImmediate);
  house.hooks.opened(house.path);
  await expect.poll(() => house.note.text()).toContain('#Claude : Short.');
  await house.hooks.close();
  expect(house.requests).toHaveLength(1);
});

test('a note that the glob does not mean is left alone', async () => {
  const house = hooked([{ name: 'Sum', on: 'note-opened', note: 'Inbox/**', run: { prompt: 'sum' } }], {
    house: { note: 'Some text' },
  });
  house.hooks.opened(house.path);
  await house.hooks.close();
  expect(house.note.text()).toBe('Some text');
});

test('a schedule comes round when its time is over', async () => {
  const house = hooked(
    [{ name: 'Sum', on: 'schedule', every: '2h', in: 'Talk.md', run: { prompt: 'sum' } }],
    {
      house: { note: 'Some text', scripts: [() => says('Short.')] },
    },
  );
  house.clock.advance(2 * 3_600_000);
  await expect.poll(() => house.note.text()).toContain('Short.');
  expect(house.requests).toHaveLength(1);
});

test('what is wrong is told: a file that cannot be read, a tool that is not there', async () => {
  const broken = hooked('{"hooks": [{"name": "x", "on": "never", "run": {"prompt": "p"}}]}');
  broken.hooks.opened(broken.path);
  await expect.poll(() => broken.problems.join()).toContain('hooks.0.on');
  const missing = hooked([{ name: 'Log', on: 'note-opened', run: { tool: 'nowhere/add' } }]);
  missing.hooks.opened(missing.path);
  await expect.poll(() => missing.problems.join()).toContain('nowhere/add');
});
