import { failedWith } from '../../../contract/failed-with';
import type { Settings } from '../../../contract/settings';
import { useAction, useCoreState } from '../../base/core/core';

type Group = 'tags' | 'chat' | 'tools' | 'servers' | 'versions';
type Changes = { [K in keyof Omit<Settings, Group>]?: Settings[K] } & { [K in Group]?: Partial<Settings[K]> };

type Json = Parameters<ReturnType<typeof useAction<'settings.change'>>['mutate']>[0]['changes'];
const asJson = (values: object) => values as Json;

/** What stands now where the changes will. */
function placesOf(changes: object, now: object | undefined): object {
  const current = new Map<string, unknown>(Object.entries(now ?? {}));
  const isGroup = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  return Object.fromEntries(
    Object.entries(changes).map(([name, value]: [string, unknown]) => {
      const old = current.get(name);
      return [name, isGroup(value) && isGroup(old) ? placesOf(value, old) : old];
    }),
  );
}

/** The settings as they stand in the core, and a way to change them there. */
export function useSettings() {
  const settings = useCoreState('settings.current', {});
  const action = useAction('settings.change');
  /** Whether it was taken. */
  const change = (changes: Changes): Promise<boolean> =>
    action.mutateAsync({ changes: asJson(changes) }).then(
      () => true,
      () => false,
    );
  /** As `change`, but only in the place of what is shown here. */
  const replace = (changes: Changes): Promise<boolean> =>
    action.mutateAsync({ changes: asJson(changes), seen: asJson(placesOf(changes, settings)) }).then(
      () => true,
      () => false,
    );
  // A field says by itself that what is saved in it is another now.
  const error = failedWith('settings.change', action.error, 'settings.changed') ? null : action.error;
  return { settings, change, replace, error };
}
