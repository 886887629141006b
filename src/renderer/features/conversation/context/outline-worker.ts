import { outlineOf } from './outline';
import type { OutlineQuestion } from './use-outline';

/** Reads a whole note away from the thread that paints. */
addEventListener('message', ({ data }: MessageEvent<OutlineQuestion>) => {
  postMessage(outlineOf(data.text, data.tags, data.servers));
});
