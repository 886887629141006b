import { useEffect } from 'react';

/**
 * What has the focus may go away by what it does, or by what others do: a button of a call that is answered, a tab that is
 * closed. Whoever is there goes on beside it, since keys pressed nowhere do nothing.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: HTMLElement[] = [];
    let stopWaiting: () => void = () => undefined;
    let waitsFor: Element | null = null;

    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = target;
      around = [...ancestors(target)];
    };
    // Whoever presses beside everything wants the focus nowhere.
    const onFocusOut = () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body && last && canHaveFocus(last)) last = null;
      });
    const goOn = () => {
      waitsFor = null;
      if (!last || document.activeElement !== document.body) return;
      for (const place of [...around, document.getElementById('tab-content')])
        if (place?.isConnected && focusIn(place)) return;
    };
    const observer = new MutationObserver(() => {
      if (!(last instanceof HTMLElement)) return;
      if (canHaveFocus(last)) {
        if (waitsFor === last && document.activeElement === document.body)
          last.focus({ preventScroll: true });
        waitsFor = null;
        return;
      }
      if (waitsFor === last) return;
      waitsFor = last;
      stopWaiting();
      // A button is often off as long as what it does goes on; what comes for one that is gone may take the focus itself.
      stopWaiting = last.isConnected ? later(goOn) : twoFramesLater(goOn);
    });

    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled', 'inert', 'hidden'],
    });
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
      observer.disconnect();
      stopWaiting();
    };
  }, []);
}

function later(act: () => void): () => void {
  const timer = setTimeout(act, 500);
  return () => clearTimeout(timer);
}

function twoFramesLater(act: () => void): () => void {
  let frame = requestAnimationFrame(() => {
    frame = requestAnimationFrame(act);
  });
  return () => cancelAnimationFrame(frame);
}

function* ancestors(of: Element): Generator<HTMLElement> {
  for (let one = of.parentElement; one && one !== document.body; one = one.parentElement) yield one;
}

const canHaveFocus = (one: Element): boolean =>
  one.isConnected && one.checkVisibility() && !one.matches(':disabled') && !one.closest('[inert]');

const focusable =
  'button, input, select, textarea, a[href], [tabindex]:not([tabindex="-1"]), [contenteditable="true"]';

function focusIn(place: HTMLElement): boolean {
  const itself = place.tabIndex >= 0 || place.hasAttribute('tabindex') ? [place] : [];
  for (const one of [...itself, ...place.querySelectorAll<HTMLElement>(focusable)]) {
    if (!canHaveFocus(one) || (one !== place && one.tabIndex < 0)) continue;
    one.focus({ preventScroll: true });
    if (document.activeElement === one) return true;
  }
  return false;
}
