import { GreetedVaults, PanelSizes, readLayout } from '../../../contract/windows';
import type { PartChanges } from './window-content';

const layoutKey = 'interlinear.layout';
const greetedKey = 'interlinear.greeted';
const panelsStart = 'react-resizable-panels:interlinear.panels';

type Stored = Pick<Storage, 'length' | 'key' | 'getItem' | 'removeItem'>;

/** What an older version of the app kept in the browser. Its drafts lay where the mailbox is, in the same form. */
export function formerStorage(storage: Stored): { parts: PartChanges; done(): void } | null {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '').filter(
    (key) => key === layoutKey || key === greetedKey || key.startsWith(panelsStart),
  );
  if (keys.length === 0) return null;
  const { state = null } = (parsed(storage.getItem(layoutKey)) ?? {}) as { state?: unknown };
  const layout = readLayout(state);
  const panels = PanelSizes.safeParse(
    Object.fromEntries(
      keys.flatMap((key) => (key.startsWith(panelsStart) ? [[key, storage.getItem(key)]] : [])),
    ),
  );
  const greeted = GreetedVaults.safeParse(parsed(storage.getItem(greetedKey)));
  return {
    parts: {
      ...(layout && { layout }),
      ...(panels.success && { panels: panels.data }),
      ...(greeted.success && { greeted: greeted.data }),
    },
    done() {
      for (const key of keys) storage.removeItem(key);
    },
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}
