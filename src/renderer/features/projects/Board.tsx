import { SearchX, X } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import type { EntityBrief, ProjectScope } from '../../../contract/projects';
import { t } from '../../base/text/text';
import { Callout, EmptyState, IconButton, SearchField, Segments, Spinner } from '../../ui';
import { BoardColumn } from './BoardColumn';
import { columnsOf } from './board';
import { Failed } from './Failed';
import { useBoardKeys } from './use-board-keys';
import { useMoves } from './use-moves';
import { useChoice, useProject } from './use-project';
import { typesWord } from './words';
import './board.css';

const noCards: readonly EntityBrief[] = [];

export function Board({ scope }: { scope: ProjectScope }) {
  const { data, error, refetch } = useProject('projects.list', scope);
  const { types, shownId, set } = useChoice();
  const [filter, setFilter] = useState('');
  const words = useDeferredValue(filter);
  const [chosen, setChosen] = useState<string | null>(null);
  // Whether the chosen card has the focus: it takes it again wherever it comes up, also after a move that was refused.
  const [hasFocus, setHasFocus] = useState(false);
  const choose = (id: string) => {
    setChosen(id);
    setHasFocus(true);
  };
  const moves = useMoves(data ?? noCards);
  const columns = useMemo(() => columnsOf(moves.cards, types, words), [moves.cards, types, words]);
  const cards = columns.flatMap((column) => column.cards);
  const current = cards.some(({ id }) => id === chosen) ? chosen : (cards[0]?.id ?? null);

  const onKey = useBoardKeys({ columns, current, moves, choose });

  if (error && !data) return <Failed error={error} again={refetch} />;
  if (!data) return <Spinner size={20} />;
  return (
    <div className="board">
      <BoardBar filter={filter} count={cards.length} onFilter={setFilter} />
      {moves.refused && (
        <Callout
          tone="bad"
          title={t('board.refused', { id: moves.refused.id })}
          actions={<IconButton icon={X} size="s" label={t('ui.dismiss')} onClick={moves.forgetRefusal} />}
        >
          {moves.refused.why}
        </Callout>
      )}
      <p className="visually-hidden" role="status">
        {moves.announcement}
      </p>
      {cards.length === 0 ? (
        <EmptyState icon={SearchX} title={t('board.nothing')} text={t('board.nothingText')} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the cards inside have the focus.
        <div
          className="board-columns"
          tabIndex={-1}
          onKeyDown={onKey}
          onBlur={({ currentTarget, relatedTarget }) => {
            // A card that is taken away leaves the focus nowhere.
            if (relatedTarget && !currentTarget.contains(relatedTarget)) setHasFocus(false);
          }}
        >
          {columns.map((column) => (
            <BoardColumn
              key={column.status ?? ''}
              column={column}
              current={current}
              hasFocus={hasFocus}
              shownId={shownId}
              onChoose={choose}
              onOpen={(id) => set({ shownId: id })}
              onMove={moves.move}
            />
          ))}
        </div>
      )}
      <p className="board-keys">{t('board.keys')}</p>
    </div>
  );
}

function BoardBar(props: { filter: string; count: number; onFilter(filter: string): void }) {
  const { filter, count, onFilter } = props;
  const { types, set } = useChoice();
  return (
    <div className="board-bar">
      <Segments
        aria-label={t('board.types')}
        value={types}
        options={[
          { value: 'all', label: t('board.all') },
          ...(['milestone', 'story', 'task'] as const).map((value) => ({ value, label: typesWord(value) })),
        ]}
        onChange={(next) => set({ types: next })}
      />
      <SearchField
        label={t('board.filter')}
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
      />
      <span className="board-count">{t('board.count', { count })}</span>
    </div>
  );
}
