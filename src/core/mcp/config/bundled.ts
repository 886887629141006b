/** The server that comes with the app. */
export const bundledName = 'vault';
export const bundledId = 'bundled-vault';

/** What a person may change of it; its other keys are the app's own. */
export const bundledKeys = new Set<string>([
  ...['enabled', 'autostart', 'timeout', 'initTimeout', 'longRunning', 'concurrency', 'disabledTools'],
  ...['approval', 'flow', 'logLevel', 'monitoring', 'checkInterval', 'restarts', 'toolTimeouts'],
]);

/** What the person's file says of it. */
export function bundledChanges(file: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const own = file[bundledName];
  return typeof own === 'object' && own !== null
    ? Object.fromEntries(Object.entries(own).filter(([key]) => bundledKeys.has(key)))
    : {};
}
