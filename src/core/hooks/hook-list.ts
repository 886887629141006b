import type { NoticeFacts } from '../../contract/app';
import type { Hook, HookList } from '../../contract/hooks';
import { type Clock, createObservable, type Observable } from '../foundation';
import { type Vault, vaultKey } from '../vault';
import type { HookFile } from './hook-file';
import type { HookRuns } from './hook-runs';

/** The hooks of the open vault as a screen shows them; what is wrong with their file is told once. */
export function createHookList({
  vault,
  file,
  runs,
  clock,
  isAgreed,
  onProblem,
}: {
  readonly vault: Pick<Vault, 'state' | 'root' | 'id'>;
  readonly file: HookFile;
  readonly runs: HookRuns;
  readonly clock: Clock;
  readonly isAgreed: (hook: Hook) => boolean;
  readonly onProblem: (problem: Extract<NoticeFacts, { code: 'hooks-file' }>) => void;
}): { readonly list: Observable<HookList>; update(): void } {
  const list = createObservable<HookList>({ kind: 'no-vault' });
  let lastProblems = '';

  function update(): void {
    const state = vault.state.get();
    const content = file.content.get();
    if (state.kind !== 'open' || content === null) {
      list.set({ kind: 'no-vault' });
      return;
    }
    for (const { on, name } of content.hooks)
      if (on === 'schedule') runs.since(vaultKey(vault), name, clock.now());
    const last = runs.last(vaultKey(vault));
    list.set({
      kind: 'listed',
      trusted: state.trusted,
      hooks: content.hooks.map((hook) => ({
        ...hook,
        agreed: isAgreed(hook),
        lastRun: last.get(hook.name) ?? null,
      })),
      problems: [...content.problems],
    });
    const problems = [...content.problems];
    const text = problems.map(({ message, line }) => `line ${line}: ${message}`).join(' ');
    if (state.trusted && text !== '' && text !== lastProblems) onProblem({ code: 'hooks-file', problems });
    lastProblems = text;
  }

  return { list, update };
}
