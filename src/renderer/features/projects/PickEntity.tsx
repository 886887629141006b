import { useState } from 'react';
import type { EntityType } from '../../../contract/projects';
import { highlighted, search } from '../../base/text/fuzzy';
import { t } from '../../base/text/text';
import { PickDialog } from '../../ui';
import { Status, TypeIcon } from './Marks';
import { useProject } from './use-project';

export interface PickEntityProps {
  title: string;
  /** Null: any. */
  types: readonly EntityType[] | null;
  without: readonly string[];
  onPick(id: string): void;
  onClose(): void;
}

const most = 60;

export function PickEntity({ title, types, without, onPick, onClose }: PickEntityProps) {
  const [query, setQuery] = useState('');
  const { data = [] } = useProject('projects.list', {});
  const offered = data.filter(
    ({ id, type }) => (types === null || types.includes(type)) && !without.includes(id),
  );
  const results = search(query, offered, (entity) => `${entity.id} ${entity.title}`).slice(0, most);
  return (
    <PickDialog
      title={title}
      placeholder={t('newEntity.find')}
      query={query}
      onQuery={setQuery}
      items={results}
      keyOf={({ item }) => item.id}
      render={(result) => (
        <>
          <TypeIcon type={result.item.type} />
          <span className="ui-pick-main">{highlighted(result)}</span>
          <Status status={result.item.status} />
        </>
      )}
      onPick={({ item }) => {
        onPick(item.id);
        onClose();
      }}
      empty={t('newEntity.notFound')}
      onClose={onClose}
    />
  );
}
