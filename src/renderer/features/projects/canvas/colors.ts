const presets: Readonly<Record<string, string>> = {
  '1': 'var(--canvas-red)',
  '2': 'var(--canvas-orange)',
  '3': 'var(--canvas-yellow)',
  '4': 'var(--canvas-green)',
  '5': 'var(--canvas-cyan)',
  '6': 'var(--canvas-purple)',
};

/** The colour of a node or an edge as JSON Canvas writes it; undefined for none and for what is no colour. */
export function colorOf(color: string | null): string | undefined {
  if (color === null) return undefined;
  return presets[color] ?? (/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(color) ? color : undefined);
}
