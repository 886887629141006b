import { type EntityBrief, type EntityType, priorities, workStatuses } from '../../../contract/projects';

export interface Column {
  /** Null: statuses that are none of the four. */
  readonly status: (typeof workStatuses)[number] | null;
  readonly cards: readonly EntityBrief[];
}

const isWork = ({ type }: EntityBrief) => type === 'milestone' || type === 'story' || type === 'task';

/** Work in columns by status, what is most urgent first; every word of the filter must be found. */
export function columnsOf(all: readonly EntityBrief[], type: EntityType | 'all', filter: string): Column[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (entity: EntityBrief) => {
    const text = `${entity.id} ${entity.title} ${entity.assignee ?? ''} ${entity.parent ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const cards = all
    .filter((entity) => isWork(entity) && (type === 'all' || entity.type === type) && fits(entity))
    .sort((a, b) => rank(b) - rank(a));
  const columns: Column[] = workStatuses.map((status) => ({
    status,
    cards: cards.filter((card) => card.status === status),
  }));
  const others = cards.filter(({ status }) => !(workStatuses as readonly string[]).includes(status));
  return others.length > 0 ? [...columns, { status: null, cards: others }] : columns;
}

function rank({ priority }: EntityBrief): number {
  const at = (priorities as readonly string[]).indexOf(priority ?? 'medium');
  return at === -1 ? 1 : at;
}

type Key = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight' | 'Home' | 'End';

/** The card that an arrow key leads to from another: the nearest one in the next column that has any. */
export function neighbour(columns: readonly Column[], id: string, key: Key): string | null {
  const x = columns.findIndex(({ cards }) => cards.some((card) => card.id === id));
  const y = columns[x]?.cards.findIndex((card) => card.id === id) ?? -1;
  if (x === -1) return null;
  const inColumn = (at: number) => columns[x]?.cards[at]?.id ?? null;
  switch (key) {
    case 'ArrowUp':
      return inColumn(y - 1);
    case 'ArrowDown':
      return inColumn(y + 1);
    case 'Home':
      return inColumn(0);
    case 'End':
      return columns[x]?.cards.at(-1)?.id ?? null;
    case 'ArrowLeft':
    case 'ArrowRight': {
      const step = key === 'ArrowLeft' ? -1 : 1;
      for (let at = x + step; at >= 0 && at < columns.length; at += step) {
        const cards = columns[at]?.cards ?? [];
        const card = cards[Math.min(y, cards.length - 1)];
        if (card) return card.id;
      }
      return null;
    }
  }
}

/** The status to the left or right of another. */
export function statusBeside(status: string, step: 1 | -1): string | null {
  const at = (workStatuses as readonly string[]).indexOf(status);
  return at === -1 ? workStatuses[0] : (workStatuses[at + step] ?? null);
}
