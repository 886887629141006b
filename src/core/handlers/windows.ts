import type { Handlers } from '../../contract/define';
import type { windowsOperations } from '../../contract/windows';
import type { App } from '../app';

export function windowsHandlers({ windows }: App): Handlers<typeof windowsOperations> {
  return {
    'windows.enter': (input, { signal }) => windows.enter(input, signal),
    'windows.keep': (changes) => windows.keep(changes),
    'windows.takeUp': (what) => windows.takeUp(what),
  };
}
