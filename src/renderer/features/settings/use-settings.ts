import type { Settings } from '../../../contract/settings';
import { useAction, usePicture } from '../../app/core';

type Group = 'tags' | 'chat' | 'tools' | 'servers' | 'versions';
type Changes = { [K in keyof Omit<Settings, Group>]?: Settings[K] } & { [K in Group]?: Partial<Settings[K]> };

/** The settings as they stand in the core, and a way to change them there. */
export function useSettings() {
  const settings = usePicture('settings.current', {});
  const action = useAction('settings.change');
  /** Whether it was taken. */
  const change = (changes: Changes): Promise<boolean> =>
    action.mutateAsync({ changes: changes as Parameters<typeof action.mutate>[0]['changes'] }).then(
      () => true,
      () => false,
    );
  return { settings, change, error: action.error };
}
