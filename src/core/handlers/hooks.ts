import type { Handlers } from '../../contract/define';
import type { hooksOperations } from '../../contract/hooks';
import type { App } from '../app';

export function hooksHandlers({ hooks }: App): Handlers<typeof hooksOperations> {
  return {
    'hooks.list': (_input, { signal }) => hooks.list.follow(signal),
    'hooks.save': ({ hook, replaces, seen }) => hooks.save(hook, replaces, seen),
    'hooks.setEnabled': ({ hook, enabled }) => hooks.setEnabled(hook, enabled),
    'hooks.remove': ({ name }) => hooks.remove(name),
    'hooks.run': ({ hook, path }) => hooks.run(hook, path),
  };
}
