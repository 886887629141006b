import type { Handlers } from '../../contract/define';
import { AppError } from '../../contract/errors';
import { isUnder, movedPath } from '../../contract/paths';
import type {
  ContributionEntry,
  VaultChange,
  VaultEntry,
  VaultState,
  vaultOperations,
} from '../../contract/vault';
import { exampleEntries } from './example-data';
import { live } from './live';
import { soon } from './soon';

function exampleContributions(vault: string): ContributionEntry[] {
  const consent: ContributionEntry['consent'] = { kind: 'new' };
  const tracker = {
    kind: 'server' as const,
    name: 'tracker',
    lines: ['npx -y tracker-server@2.1.0 --read-only', `env: TRACKER_TOKEN=\${secret:tracker}`],
    fingerprint: '1',
  };
  if (vault === 'untrusted')
    return [
      { ...tracker, consent },
      {
        kind: 'hook',
        name: 'Sum up',
        lines: ['on: saved · journal/*.md', 'prompt: summary'],
        fingerprint: '2',
        consent,
      },
    ];
  if (vault !== 'changed') return [];
  const before = ['npx -y tracker-server@2.0.4 --read-only', `env: TRACKER_TOKEN=\${secret:tracker}`];
  return [{ ...tracker, consent: { kind: 'changed', before } }];
}

/** A vault and its tree of notes, in one of the states that the gallery shows: open, `untrusted`, `changed`, `lost` or `none`. */
export function createExampleVault(state: string, isEmpty: boolean): Handlers<typeof vaultOperations> {
  const open: VaultState = {
    kind: 'open',
    path: '/home/ada/notes',
    name: 'notes',
    trusted: state !== 'untrusted',
    contributions: exampleContributions(state),
    writable: true,
  };
  const vault = live<VaultState>(
    state === 'none'
      ? { kind: 'none' }
      : state === 'lost'
        ? { kind: 'lost', path: '/media/stick/notes', name: 'notes', instead: 'nothing', movedTo: null }
        : open,
  );
  const entries = live<VaultChange>({ kind: 'all', entries: isEmpty ? [] : exampleEntries });
  const all = () => {
    const change = entries.get();
    return change.kind === 'all' ? change.entries : [];
  };
  const setAll = (next: VaultEntry[]) => entries.set({ kind: 'all', entries: next });
  const entry = (path: string, kind: VaultEntry['kind']): VaultEntry => ({
    path,
    kind,
    size: 0,
    modified: Date.now(),
  });

  return {
    'vault.close': () => vault.set({ kind: 'none' }),
    'vault.lookAround': () => undefined,
    'vault.state': (_, { signal }) => vault.follow(signal),
    'vault.open': async ({ path }) => {
      await soon();
      if (path.includes('missing'))
        throw new AppError('vault.not-found', `There is no folder “${path}”.`, { path });
      vault.set(open);
      return { path };
    },
    'vault.openSample': async () => {
      await soon();
      vault.set(open);
      return { path: '/home/ada/notes' };
    },
    'vault.recent': () =>
      isEmpty
        ? []
        : [
            { path: '/home/ada/notes', name: 'notes' },
            { path: '/home/ada/Documents/Research journal', name: 'Research journal' },
          ],
    'vault.trust': ({ trusted }) => vault.set({ ...open, trusted, contributions: [] } as VaultState),
    'vault.entries': (_, { signal }) => entries.follow(signal),
    'vault.read': ({ path }) => ({ text: `# ${path}`, version: '1' }),
    'vault.write': () => ({ version: '2' }),
    'vault.create': ({ path }) => {
      let free = path;
      for (let n = 2; all().some((one) => one.path === free); n++) free = path.replace(/\.md$/, ` ${n}.md`);
      setAll([...all(), entry(free, 'note')]);
      return { path: free };
    },
    'vault.createFolder': ({ path }) => setAll([...all(), entry(path, 'folder')]),
    'vault.rename': ({ from, to }) =>
      setAll(all().map((one) => ({ ...one, path: movedPath(one.path, from, to) }))),
    'vault.trash': ({ path }) => setAll(all().filter((one) => !isUnder(one.path, path))),
    'vault.imageAddress': ({ target }) => `/files/${encodeURIComponent(target)}`,
  };
}
