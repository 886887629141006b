import type { ServerFault } from '../../../contract/server-faults';

/** What stands in a fault as somebody else wrote it. The rest are names and numbers of ours. */
const freeTexts = new Set(['text', 'line', 'lines', 'command', 'folder', 'path', 'errno', 'detail']);

/** The same fault with its free texts changed, each by itself. */
export function withFaultTexts<F extends ServerFault>(fault: F, change: (text: string) => string): F {
  const entries = Object.entries(fault).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'object' && value !== null && 'code' in value)
      return [name, withFaultTexts(value as ServerFault, change)];
    if (!freeTexts.has(name)) return [name, value];
    if (Array.isArray(value)) return [name, value.map((one) => change(String(one)))];
    return [name, typeof value === 'string' ? change(value) : value];
  });
  return Object.fromEntries(entries) as F;
}
