import { useEffect, useState } from 'react';
import type { TagNames } from '../../../../markdown';
import type { EditorHandle } from '../../editor/context/open-notes';
import type { Outline } from './outline';

export interface OutlineQuestion {
  readonly text: string;
  readonly tags: TagNames;
  readonly servers: readonly string[];
}

/** The note's outline, read again when `moment` changes; null before it was read for the first time. */
export function useOutline(
  editor: EditorHandle,
  moment: number,
  tags: TagNames,
  servers: readonly string[],
): Outline | null {
  const [worker, setWorker] = useState<Worker | null>(null);
  const [outline, setOutline] = useState<Outline | null>(null);
  useEffect(() => {
    const started = new Worker(new URL('./outline-worker.ts', import.meta.url), { type: 'module' });
    started.addEventListener('message', ({ data }: MessageEvent<Outline>) => setOutline(data));
    setWorker(started);
    return () => started.terminate();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `moment` says that the text has changed.
  useEffect(() => {
    worker?.postMessage({ text: editor.text(), tags, servers } satisfies OutlineQuestion);
  }, [worker, editor, moment, tags, servers]);
  return outline;
}
