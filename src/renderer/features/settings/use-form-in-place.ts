import { useLayoutEffect, useRef } from 'react';
import { goOnIn, isFocusLost } from '../../ui';

/**
 * A form takes the place of a list, and the list that of the form: the person goes on in its first field, and then at the
 * button that opened it, which has the same words in `data-opens`; where it is gone, at the one for a new one.
 */
export function useFormInPlace(editing: string | null): void {
  const before = useRef(editing);
  useLayoutEffect(() => {
    const former = before.current;
    before.current = editing;
    const page = document.querySelector('.settings-content');
    if (former === editing || !page || !isFocusLost(page)) return;
    if (editing !== null) return goOnIn(page.querySelector('form'));
    const openers = [...page.querySelectorAll<HTMLElement>('[data-opens]')];
    const of = (what: string | null) => openers.find(({ dataset }) => dataset.opens === what);
    (of(former) ?? of(''))?.focus();
  }, [editing]);
}
