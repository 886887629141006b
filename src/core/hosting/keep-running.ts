import type { Log } from '../foundation';

/**
 * What nobody caught ends what it was part of, not the app: it is logged, told, and the core goes on. Returns what ends this.
 * A host calls it once, when it has its app.
 */
export function keepRunning(
  log: Log,
  app: { readonly notices: { add(facts: { code: 'fault' }): void } },
): () => void {
  const onFault = (error: unknown) => {
    log.error('nobody caught this', { error });
    app.notices.add({ code: 'fault' });
  };
  process.on('uncaughtException', onFault);
  process.on('unhandledRejection', onFault);
  return () => {
    process.off('uncaughtException', onFault);
    process.off('unhandledRejection', onFault);
  };
}
