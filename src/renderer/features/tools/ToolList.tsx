import { useVirtualizer } from '@tanstack/react-virtual';
import { SearchX, Wrench } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import { ForeignIcon } from '../../base/parts/ForeignIcon';
import { compact } from '../../base/text/format';
import { t } from '../../base/text/text';
import { visible } from '../../base/text/visible';
import { classes, EmptyState, rowAfterKey } from '../../ui';

export interface ToolListProps {
  tools: readonly ToolEntry[];
  current: ToolEntry | undefined;
  loaded: boolean;
  /** Whether words were typed that nothing fits. */
  searched: boolean;
  onChoose(tool: ToolEntry): void;
}

export function ToolList({ tools, current, loaded, searched, onChoose }: ToolListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const at = current ? tools.indexOf(current) : -1;
  const virtual = useVirtualizer({
    count: tools.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 48,
    overscan: 10,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice moves the list.
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at]);

  if (tools.length === 0) {
    if (!loaded) return <div className="tools-list" />;
    return (
      <div className="tools-list">
        {searched ? (
          <EmptyState icon={SearchX} title={t('tools.noMatch')} text={t('tools.noMatchText')} />
        ) : (
          <EmptyState icon={Wrench} title={t('tools.none')} text={t('tools.noneText')} />
        )}
      </div>
    );
  }
  return (
    <div
      className="tools-list"
      ref={scroller}
      role="listbox"
      tabIndex={0}
      aria-label={t('tools.list')}
      aria-activedescendant={at >= 0 ? `tool-${at}` : undefined}
      onKeyDown={(event) => {
        const next = tools[rowAfterKey(event.key, at, tools.length) ?? -1];
        if (!next) return;
        event.preventDefault();
        onChoose(next);
      }}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const tool = tools[index];
          if (!tool) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the list.
            <div
              key={`${tool.serverId}/${tool.name}`}
              id={`tool-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={tool === current}
              className={classes('ui-choice', 'tool-row', !tool.enabled && 'tool-row-off')}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => onChoose(tool)}
            >
              <ForeignIcon src={tool.icon} size={16}>
                <Wrench size={14} strokeWidth={1.75} aria-hidden />
              </ForeignIcon>
              <span className="ui-choice-text">
                <span>{visible(tool.name)}</span>
                <small>
                  {tool.serverName}
                  {!tool.enabled && ` · ${t('tools.off')}`}
                </small>
              </span>
              <span className="tool-weight" title={t('tools.weight', { count: tool.tokens })}>
                {compact(tool.tokens)}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
