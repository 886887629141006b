import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Dialog } from './Dialog';
import { rowAfterKey } from './list-keys';

export interface PickDialogProps<T> {
  title: string;
  placeholder: string;
  query: string;
  onQuery(query: string): void;
  items: readonly T[];
  keyOf(item: T): string;
  render(item: T): ReactNode;
  onPick(item: T): void;
  /** Shift+Enter, or Enter where nothing was found. */
  onOther?(): void;
  empty: ReactNode;
  /** Why what was wanted is not done, whatever is found. */
  problem?: string | null;
  footer?: ReactNode;
  onClose(): void;
}

/** A text box over a list; arrows choose, Enter takes. */
export function PickDialog<T>(props: PickDialogProps<T>) {
  const { items, keyOf, query, onPick, onOther } = props;
  const [active, setActive] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new query starts from the top.
  useEffect(() => setActive(0), [query]);
  const chosen = Math.min(active, items.length - 1);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen row.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const row = rowAfterKey(event.key, chosen, items.length, { wraps: true, isInText: true });
    if (row !== null) setActive(row);
    else if (event.key === 'Enter') {
      const item = items[chosen];
      if (onOther && (event.shiftKey || !item)) onOther();
      else if (item !== undefined) onPick(item);
    } else return;
    event.preventDefault();
  };

  return (
    <Dialog title={props.title} bare onClose={props.onClose} size="m">
      <input
        className="ui-pick-input"
        type="text"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={chosen >= 0 ? `${id}-${chosen}` : undefined}
        aria-label={props.placeholder}
        placeholder={props.placeholder}
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => props.onQuery(event.target.value)}
        onKeyDown={pressed}
      />
      {/* One that scrolls would be a stop of the Tab key, where no key does anything. */}
      <div
        className="ui-pick-list"
        role="listbox"
        tabIndex={-1}
        id={`${id}-list`}
        aria-label={props.title}
        ref={list}
      >
        {items.map((item, at) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the text box.
          <div
            key={keyOf(item)}
            id={`${id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === chosen}
            className="ui-pick-item"
            onClick={() => onPick(item)}
            onPointerMove={() => setActive(at)}
          >
            {props.render(item)}
          </div>
        ))}
        {props.problem && (
          <p className="ui-pick-empty ui-field-error" role="alert">
            {props.problem}
          </p>
        )}
        {items.length === 0 && !props.problem && <p className="ui-pick-empty">{props.empty}</p>}
      </div>
      {props.footer && <div className="ui-pick-foot">{props.footer}</div>}
    </Dialog>
  );
}
