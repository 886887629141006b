import type { Handlers } from '../../contract/define';
import type { healthOperations } from '../../contract/health';
import type { App } from '../app';

export function healthHandlers({ health }: App): Handlers<typeof healthOperations> {
  return {
    'health.report': (_input, { signal }) => health.report.follow(signal),
  };
}
