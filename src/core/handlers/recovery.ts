import type { Handlers } from '../../contract/define';
import type { recoveryOperations } from '../../contract/recovery';
import type { App } from '../app';

export function recoveryHandlers({ recovery }: App): Handlers<typeof recoveryOperations> {
  return {
    'recovery.list': (_input, { signal }) => recovery.follow(signal),
    'recovery.read': ({ id, part }) => recovery.readStart(id, part),
    'recovery.compare': ({ id, part, path }) => recovery.compare(id, part, path),
    'recovery.restore': ({ id, part, path, basis, hunks }) => recovery.restore(id, part, path, basis, hunks),
    'recovery.restoreAsNew': ({ id, part }) => recovery.restoreAsNew(id, part),
    'recovery.discard': ({ id }) => recovery.discard(id),
  };
}
