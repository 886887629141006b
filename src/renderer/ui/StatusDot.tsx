import type { Tone } from './Badge';

/** Never alone: the state in words stands beside it, or is given as its label. */
export function StatusDot({ tone, moving = false, label }: { tone: Tone; moving?: boolean; label?: string }) {
  const aria = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true };
  return <span {...aria} className={`ui-dot ui-dot-${tone}${moving ? ' ui-dot-moving' : ''}`} />;
}
