import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { InputOf } from '../../../contract/define';
import type { AppOperations } from '../../../contract/operations';
import { Field, Input, rowAfterKey } from '../../ui';
import { useCore } from '../core/core';
import { t } from '../text/text';

export interface SuggestedFieldProps {
  serverId: string;
  of: InputOf<AppOperations['mcp.complete']>['of'];
  name: string;
  label: ReactNode;
  hint?: string;
  error?: string | null;
  values: Readonly<Record<string, string>>;
  onChange(value: string): void;
}

const pause = 150;

/** A text for which the server may know what could be written; arrows choose among its ideas, Enter takes one. One field, whose keys, list and text hang on each other. */
export function SuggestedField(props: SuggestedFieldProps) {
  const { name, values, onChange } = props;
  const { [name]: value = '' } = values;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const ideas = useIdeas(props, open).filter((idea) => idea !== value);
  const isShown = open && ideas.length > 0;
  const chosen = Math.min(active, ideas.length - 1);
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the chosen row.
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);

  const take = (idea: string) => {
    onChange(idea);
    setOpen(false);
    setActive(-1);
  };
  const pressed = (event: KeyboardEvent) => {
    const idea = ideas[chosen];
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      setOpen(true);
      const row = rowAfterKey(event.key, chosen, ideas.length, { wraps: true });
      setActive(isShown ? (row ?? -1) : 0);
    } else if (isShown && event.key === 'Enter' && idea !== undefined) take(idea);
    else if (isShown && event.key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Field label={props.label} hint={props.hint} error={props.error}>
      {(ties) => (
        <div className="ui-suggest">
          <Input
            {...ties}
            role="combobox"
            aria-expanded={isShown}
            data-list-open={isShown || undefined}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isShown && chosen >= 0 ? `${id}-${chosen}` : undefined}
            value={value}
            onFocus={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={pressed}
            onChange={({ target }) => {
              onChange(target.value);
              setOpen(true);
              setActive(-1);
            }}
          />
          <div
            className="ui-menu ui-suggest-list"
            role="listbox"
            id={`${id}-list`}
            aria-label={t('ui.suggestions')}
            ref={list}
            hidden={!isShown}
          >
            {ideas.map((idea, at) => (
              <div
                key={idea}
                id={`${id}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === chosen}
                className="ui-menu-item"
                // Before the text loses the focus.
                onPointerDown={(event) => {
                  event.preventDefault();
                  take(idea);
                }}
              >
                {idea}
              </div>
            ))}
          </div>
        </div>
      )}
    </Field>
  );
}

/** What the server proposes, once the person has paused; an older question is given up. */
function useIdeas({ serverId, of, name, values }: SuggestedFieldProps, isOpen: boolean): readonly string[] {
  const core = useCore();
  const [ideas, setIdeas] = useState<readonly string[]>([]);
  const question = JSON.stringify({ of, values });
  useEffect(() => {
    if (!isOpen) return;
    const leaving = new AbortController();
    const request = JSON.parse(question) as Pick<SuggestedFieldProps, 'of' | 'values'>;
    const { [name]: value = '', ...others } = request.values;
    const otherValues = Object.fromEntries(Object.entries(others).filter(([, text]) => text !== ''));
    const timer = setTimeout(() => {
      core
        .call(
          'mcp.complete',
          { serverId, of: request.of, argument: name, value, others: otherValues },
          { signal: leaving.signal },
        )
        .then(setIdeas, () => leaving.signal.aborted || setIdeas([]));
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [core, serverId, name, question, isOpen]);
  return ideas;
}
