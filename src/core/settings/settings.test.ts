import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Conf from 'conf';
import { expect, test } from 'vitest';
import { createLog, type FileTrouble } from '../foundation';
import { createSettings, createSettingsFile, settingsTroubles } from '.';

function inFolder(contents?: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'settings-')), 'settings.json');
  if (contents !== undefined) writeFileSync(path, contents);
  const damages: string[] = [];
  const troubles: FileTrouble[] = [];
  const open = () => {
    const settingsFile = createSettingsFile(
      path,
      () => new Conf<Record<string, unknown>>({ cwd: dirname(path), configName: 'settings' }),
    );
    const log = createLog(() => undefined);
    return createSettings({
      settingsFile,
      log,
      onTrouble: (trouble) => {
        damages.push(trouble.reason);
        troubles.push(trouble);
      },
    });
  };
  return { path, damages, troubles, open };
}

test('defaults hold where nothing was ever changed', () => {
  const { open, damages } = inFolder();
  expect(open().current.get()).toMatchObject({ version: 1, theme: 'system', tools: { concurrency: 3 } });
  expect(damages).toEqual([]);
});

test('a change is merged into its group, followed at once, and there after a restart', () => {
  const { open } = inFolder();
  const settings = open();
  const seen: number[] = [];
  settings.current.onChange(({ tools }) => seen.push(tools.rounds));
  expect(settings.change({ tools: { rounds: 4 } }).tools).toMatchObject({ rounds: 4, concurrency: 3 });
  settings.change({ theme: 'dark' });
  expect(seen).toEqual([4, 4]);
  expect(open().current.get()).toMatchObject({ theme: 'dark', tools: { rounds: 4, concurrency: 3 } });
});

test('two programs that change different settings do not undo each other', () => {
  const { open } = inFolder();
  const [app, commandLine] = [open(), open()];
  app.change({ theme: 'dark' });
  commandLine.change({ fontSize: 20 });
  expect(app.change({ language: 'zh' })).toMatchObject({ theme: 'dark', fontSize: 20, language: 'zh' });
});

test.each([
  [{ tools: { concurrency: 0 } }, 'tools.concurrency'],
  [{ colour: 'red' }, 'colour'],
  [{ theme: 'pink' }, 'theme'],
])('%j is refused, names the setting, and changes nothing', (changes, named) => {
  const { open } = inFolder();
  const settings = open();
  const before = settings.current.get();
  expect(() => settings.change(changes)).toThrow(
    expect.objectContaining({ code: 'settings.invalid', message: expect.stringContaining(named) }),
  );
  expect(settings.current.get()).toBe(before);
});

test('a file that is no JSON is set aside, said, and the app starts with defaults', () => {
  const { open, damages, path } = inFolder('{ "theme": "dark", ');
  const settings = open();
  expect(settings.current.get().theme).toBe('system');
  expect(damages).toHaveLength(1);
  const aside = readdirSync(dirname(path)).find((name) => name.startsWith('settings.json.damaged-'));
  expect(readFileSync(join(dirname(path), aside!), 'utf8')).toBe('{ "theme": "dark", ');
  settings.change({ theme: 'light' });
  expect(open().current.get().theme).toBe('light');
});

test('one wrong value costs its own group only', () => {
  const { open, damages } = inFolder(JSON.stringify({ theme: 'dark', tools: { rounds: 'many' } }));
  expect(open().current.get()).toMatchObject({ theme: 'dark', tools: { rounds: 10 } });
  expect(damages[0]).toContain('tools.rounds');
});

test('one wrong provider costs that provider, by name, and no other', () => {
  const provider = (tag: string, model: unknown = 'm') => ({ id: tag, vendor: 'ollama', tag, model });
  const { path, open, troubles } = inFolder(
    JSON.stringify({ theme: 'dark', providers: [provider('One'), provider('Two', 2), provider('Three')] }),
  );
  expect(
    open()
      .current.get()
      .providers.map(({ tag }) => tag),
  ).toEqual(['One', 'Three']);
  expect(troubles).toMatchObject([{ file: path, state: 'damaged', lost: ['providers: Two'] }]);
});

test('settings that may not be read stay where they are, and are not replaced', () => {
  const { path } = inFolder('{"theme":"dark"}');
  const denied = Object.assign(new Error('Denied.'), { code: 'EACCES' });
  const troubles: FileTrouble[] = [];
  const settings = createSettings({
    settingsFile: {
      path,
      read: () => {
        throw denied;
      },
      write: () => expect.unreachable(),
      setAside: () => expect.unreachable(),
    },
    log: createLog(() => undefined),
    onTrouble: (trouble) => troubles.push(trouble),
  });
  expect(settings.current.get().theme).toBe('system');
  expect(troubles).toMatchObject([{ state: 'no-permission', keptAs: null }]);
});

test('settings of a newer app are set aside, not cut down', () => {
  const { open, damages } = inFolder(JSON.stringify({ version: 7, theme: 'dark' }));
  expect(open().current.get()).toMatchObject({ version: 1, theme: 'system' });
  expect(damages[0]).toContain('version 7');
});

test('a disk that cuts the new file short is an error, and the old settings stay', () => {
  const { path } = inFolder('{"theme":"dark"}');
  const file = createSettingsFile(path, () => ({
    get store() {
      return JSON.parse(readFileSync(path, 'utf8'));
    },
    set store(value) {
      writeFileSync(path, JSON.stringify(value).slice(0, 5));
    },
  }));
  expect(() => file.write({ theme: 'light' })).toThrow(expect.objectContaining({ code: 'vault.disk-full' }));
  expect(file.read()).toEqual({ theme: 'dark' });
});

test.each(['../../out', 'a/../..', 'C:\\out', '..\\out'])(
  'a folder for attachments outside the vault is refused: %s',
  (attachmentsFolder) => {
    const settings = inFolder().open();
    expect(() => settings.change({ chat: { attachmentsFolder } })).toThrow(/must lie in the vault/);
    expect(settings.current.get().chat.attachmentsFolder).toBe('attachments');
  },
);

test('a file of certificates that is not there, or holds none, is refused when it is named', () => {
  const { path, open } = inFolder();
  const [settings, empty, good] = [open(), `${path}.empty`, `${path}.pem`];
  writeFileSync(empty, 'nothing');
  writeFileSync(good, '-----BEGIN CERTIFICATE-----');
  for (const caFile of [`${path}.gone`, empty, dirname(path), '/dev/zero'])
    expect(() => settings.change({ network: { caFile } }), caFile).toThrow(/no file with certificates/);
  for (const caFile of [good, ''])
    expect(settings.change({ network: { caFile } }).network.caFile).toBe(caFile);
});

test('a provider whose tag no note can name stays, and no further one is taken', () => {
  const odd = { id: 'odd', vendor: 'ollama', tag: 'C#', model: 'm' };
  const { open, troubles } = inFolder(JSON.stringify({ providers: [odd] }));
  const settings = open();
  expect(settings.current.get().providers).toEqual([odd]);
  expect(troubles).toEqual([]);
  expect(settings.change({ theme: 'dark' }).providers).toEqual([odd]);
  expect(() => settings.change({ providers: [odd, { ...odd, id: 'other', tag: 'F#' }] })).toThrow(/F#/);
});

test('a file of certificates that is gone afterwards is named, and stops no other change', () => {
  const { path, open } = inFolder();
  const [settings, caFile] = [open(), `${path}.pem`];
  writeFileSync(caFile, '-----BEGIN CERTIFICATE-----');
  const { network } = settings.change({ network: { caFile } });
  expect(settingsTroubles({ ...settings.current.get(), network })).toEqual([]);
  rmSync(caFile);
  expect(settingsTroubles(settings.current.get())).toEqual([
    expect.stringMatching(/^network\.caFile: .*pem/),
  ]);
  expect(settings.change({ theme: 'dark' }).theme).toBe('dark');
});

test.each(['.interlinear', '.interlinear/pictures', './.git', '/etc', '\\\\server', '../x', 'C:\\x'])(
  'attachments cannot lie in %s',
  (attachmentsFolder) => {
    const settings = inFolder().open();
    expect(() => settings.change({ chat: { attachmentsFolder } })).toThrow(/attachments/);
    for (const good of ['', '.', './', 'files/pictures', './files'])
      expect(settings.change({ chat: { attachmentsFolder: good } }).chat.attachmentsFolder).toBe(good);
  },
);
