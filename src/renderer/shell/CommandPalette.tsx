import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useCommands } from '../base/keyboard/commands';
import { keyLabels } from '../base/keyboard/keys';
import { highlighted } from '../base/text/fuzzy';
import { t } from '../base/text/text';
import { Kbd, PickDialog } from '../ui';
import { commandsFor } from './command-search';

export function CommandPalette({ onClose }: { onClose(): void }) {
  const [query, setQuery] = useState('');
  const commands = useCommands((registry) => registry.commands);
  const [first] = useState(() => new Set([...commands.values()].map(({ about }) => about)));
  const offered = [...commands.values()].filter(
    // Nothing takes the place of what somebody is about to choose.
    ({ about, when }) => (about === undefined || first.has(about)) && (when?.() ?? true),
  );
  const results = commandsFor(query, offered);
  return (
    <PickDialog
      title={t('ribbon.palette')}
      placeholder={t('palette.placeholder')}
      query={query}
      onQuery={setQuery}
      items={results}
      keyOf={({ item }) => item.id}
      render={(result) => (
        <>
          <ChevronRight size={14} strokeWidth={1.75} aria-hidden />
          <span className="ui-pick-main">{highlighted(result)}</span>
          {result.item.keys && <Kbd keys={keyLabels(result.item.keys)} />}
        </>
      )}
      onPick={({ item }) => {
        onClose();
        item.run();
      }}
      empty={t('palette.empty')}
      onClose={onClose}
    />
  );
}
