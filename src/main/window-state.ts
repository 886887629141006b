import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Rectangle } from 'electron';
import { z } from 'zod';
import { largestSetting, readFileAtSync, replaceFileSync } from '../files';

const WindowState = z.object({
  bounds: z.object({ x: z.number(), y: z.number(), width: z.number().min(400), height: z.number().min(300) }),
  maximized: z.boolean(),
});
export type WindowState = z.infer<typeof WindowState>;

/** Null where nothing usable was remembered, or no display shows that place any more. */
export function readWindowState(
  path: string,
  displays: readonly { workArea: Rectangle }[],
): WindowState | null {
  try {
    const state = WindowState.parse(JSON.parse(readFileAtSync(path, largestSetting).toString('utf8')));
    return displays.some(({ workArea }) => overlaps(workArea, state.bounds)) ? state : null;
  } catch {
    return null;
  }
}

export function writeWindowState(path: string, state: WindowState): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFileSync(path, JSON.stringify(state));
  } catch {
    // The window then opens where it does by default.
  }
}

/** Enough of the title bar must be in sight to drag the window by. */
function overlaps(area: Rectangle, { x, y, width }: Rectangle): boolean {
  const visible = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return visible >= 100 && y >= area.y && y <= area.y + area.height - 40;
}
