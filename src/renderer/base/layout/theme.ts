import { useEffect, useSyncExternalStore } from 'react';
import type { Settings } from '../../../contract/settings';

type Theme = Settings['theme'];
/** A copy for the first paint of the next load, when the core has not been heard of. The setting is the core's. */
const remembered = 'interlinear.theme';

/** Before the settings have arrived, so that a dark room stays dark. */
export function showRememberedTheme(): void {
  apply((localStorage.getItem(remembered) as Theme | null) ?? 'system');
}

export function useTheme(theme: Theme, fontSize: number): void {
  useEffect(() => {
    localStorage.setItem(remembered, theme);
    apply(theme);
    if (theme !== 'system') return;
    const system = darkSystem();
    const changed = () => apply('system');
    system.addEventListener('change', changed);
    return () => system.removeEventListener('change', changed);
  }, [theme]);
  useEffect(() => {
    document.documentElement.style.setProperty('--font-size-note', `${fontSize}px`);
  }, [fontSize]);
}

const darkSystem = () => matchMedia('(prefers-color-scheme: dark)');

function apply(theme: Theme): void {
  const dark = theme === 'dark' || (theme === 'system' && darkSystem().matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
}

/** The theme in sight, for what is painted rather than styled. */
export function useShownTheme(): string {
  return useSyncExternalStore(
    (changed) => {
      const observer = new MutationObserver(changed);
      observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
      return () => observer.disconnect();
    },
    () => document.documentElement.dataset.theme ?? 'light',
  );
}
