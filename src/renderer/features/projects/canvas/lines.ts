import type { CanvasContent, CanvasEdge } from '../../../../contract/projects';
import type { Box, Place } from './flow';

type Side = NonNullable<CanvasEdge['fromSide']>;

/** All edges of one kind and colour, as one path: a thousand of them cost no more than a few. */
export interface Lines {
  readonly kind: CanvasEdge['kind'];
  readonly color: string | null;
  readonly path: string;
}

export interface Label {
  readonly id: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
}

/** The sides that face each other. Layers go from left to right, so a gap between columns is where edges run. */
export function facing(from: Box, to: Box): [Side, Side] {
  const dx = to.x + to.width / 2 - (from.x + from.width / 2);
  const dy = to.y + to.height / 2 - (from.y + from.height / 2);
  if (Math.abs(dx) >= (from.width + to.width) / 2) return dx >= 0 ? ['right', 'left'] : ['left', 'right'];
  return dy >= 0 ? ['bottom', 'top'] : ['top', 'bottom'];
}

const outward: Readonly<Record<Side, readonly [number, number]>> = {
  top: [0, -1],
  right: [1, 0],
  bottom: [0, 1],
  left: [-1, 0],
};

function middleOf(box: Box, side: Side): [number, number] {
  const [x, y] = outward[side];
  return [box.x + (box.width * (1 + x)) / 2, box.y + (box.height * (1 + y)) / 2];
}

const head = 9;

function arrow([x, y]: readonly [number, number], side: Side): string {
  const [dx, dy] = outward[side];
  const [backX, backY] = [x + dx * head, y + dy * head];
  const [acrossX, acrossY] = [dy * head * 0.55, dx * head * 0.55];
  return `M${backX + acrossX} ${backY + acrossY}L${x} ${y}L${backX - acrossX} ${backY - acrossY}`;
}

/** From the middle of a side to the middle of a side: as the file says, else where the two face each other. */
export function linesOf(
  { nodes, edges }: CanvasContent,
  places: readonly Place[],
): { readonly lines: readonly Lines[]; readonly labels: readonly Label[] } {
  const boxes = new Map<string, Box>(nodes.map((node) => [node.id, node]));
  for (const { id, x, y } of places) {
    const box = boxes.get(id);
    if (box) boxes.set(id, { x, y, width: box.width, height: box.height });
  }
  const parts = new Map<string, { kind: CanvasEdge['kind']; color: string | null; path: string[] }>();
  const labels: Label[] = [];
  for (const edge of edges) {
    const [from, to] = [boxes.get(edge.from), boxes.get(edge.to)];
    if (!from || !to) continue;
    const [near, far] = facing(from, to);
    const isDrawn = edge.kind === 'drawn';
    const fromSide = (isDrawn && edge.fromSide) || near;
    const toSide = (isDrawn && edge.toSide) || far;
    const [start, end] = [middleOf(from, fromSide), middleOf(to, toSide)];
    const along = Math.abs(
      fromSide === 'left' || fromSide === 'right' ? end[0] - start[0] : end[1] - start[1],
    );
    const reach = Math.min(160, Math.max(28, along * 0.5));
    const bend = ([x, y]: [number, number], side: Side) =>
      `${Math.round(x + outward[side][0] * reach)} ${Math.round(y + outward[side][1] * reach)}`;
    const key = `${edge.kind} ${edge.color}`;
    const part = parts.get(key) ?? { kind: edge.kind, color: edge.color, path: [] };
    parts.set(key, part);
    part.path.push(
      `M${start[0]} ${start[1]}C${bend(start, fromSide)} ${bend(end, toSide)} ${end[0]} ${end[1]}`,
    );
    if (edge.toArrow) part.path.push(arrow(end, toSide));
    if (edge.fromArrow) part.path.push(arrow(start, fromSide));
    if (edge.label) {
      labels.push({ id: edge.id, text: edge.label, x: (start[0] + end[0]) / 2, y: (start[1] + end[1]) / 2 });
    }
  }
  return { lines: [...parts.values()].map((part) => ({ ...part, path: part.path.join('') })), labels };
}
