import { useEffect } from 'react';
import { followTyping, isFocusOnItsWay, isTyping } from '../../ui';
import { useLayout } from '../layout/layout';

/**
 * What has the focus may go away by what it does, or by what others do: a button of a call that is answered, a tab that is
 * closed. The place around it then has the focus, since keys pressed nowhere do nothing; never another button, which a key
 * that was meant for the first would press. Of a tab with a note that place is the editor.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | null = null;
    let around: HTMLElement[] = [];
    let stopWaiting: () => void = () => undefined;
    let waitsFor: Element | null = null;
    let isThere = false;
    let isPressing = false;

    const onFocusIn = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = target;
      around = [...ancestors(target)];
      if (target === tabContent() && !isPressing) useLayout.getState().editor?.focus();
    };
    const onPress = ({ type }: Event) => {
      isPressing = type === 'pointerdown';
    };
    // Whoever presses beside everything wants the focus nowhere.
    const onFocusOut = () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body && last && canHaveFocus(last)) last = null;
      });
    const goOn = () => {
      // What was meant for a box that others took away is no text of the note.
      if (last && !last.isConnected && isTyping()) {
        stopWaiting = later(goOn);
        return;
      }
      if (isFocusOnItsWay()) {
        stopWaiting = twoFramesLater(goOn);
        return;
      }
      waitsFor = null;
      if (!last || document.activeElement !== document.body) return;
      for (const place of [...around, tabContent()]) {
        if (place && isPlace(place) && canHaveFocus(place)) place.focus({ preventScroll: true });
        if (document.activeElement !== document.body) return;
      }
    };
    const observer = new MutationObserver(() => {
      if (!(last instanceof HTMLElement)) return;
      if (canHaveFocus(last)) {
        if (waitsFor === last && document.activeElement === document.body)
          last.focus({ preventScroll: true });
        waitsFor = null;
        return;
      }
      if (waitsFor === last && isThere === last.isConnected) return;
      waitsFor = last;
      isThere = last.isConnected;
      stopWaiting();
      // A button is often off as long as what it does goes on; what comes for one that is gone may take the focus itself.
      stopWaiting = isThere ? later(goOn) : twoFramesLater(goOn);
    });

    const stopTyping = followTyping(window);
    document.addEventListener('focusin', onFocusIn);
    document.addEventListener('focusout', onFocusOut);
    for (const press of presses) document.addEventListener(press, onPress, true);
    // The editor comes later than its tab.
    const stopFollowing = useLayout.subscribe(({ editor }, before) => {
      if (editor !== before.editor && document.activeElement === tabContent()) editor?.focus();
    });
    observer.observe(document.body, {
      childList: true,
      subtree: true,
      attributes: true,
      attributeFilter: ['disabled', 'inert', 'hidden'],
    });
    return () => {
      document.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('focusout', onFocusOut);
      for (const press of presses) document.removeEventListener(press, onPress, true);
      stopTyping();
      stopFollowing();
      observer.disconnect();
      stopWaiting();
    };
  }, []);
}

const presses = ['pointerdown', 'pointerup', 'pointercancel'];

/** Into what the active tab shows. */
export const focusTab = () => tabContent()?.focus({ preventScroll: true });

const tabContent = () => document.getElementById('tab-content');

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

// What is only out of sight is left alone: to ask would lay out the page at every change.
const canHaveFocus = (one: Element): boolean =>
  one.isConnected && !one.matches(':disabled') && !one.closest('[inert], [hidden]');

/** The editor, a card, a list, a panel: what can have the focus, and does nothing by itself when a key is pressed. */
const isPlace = (one: HTMLElement): boolean =>
  (one.hasAttribute('tabindex') || one.isContentEditable) &&
  !one.matches(
    'button, a[href], input, select, textarea, [role="button"], [role="option"], [role="treeitem"]',
  );
