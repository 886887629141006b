import { Plus } from 'lucide-react';
import { EntityType, type ProjectScope } from '../../../../contract/projects';
import { useAction } from '../../../base/core/core';
import { failureText } from '../../../base/text/error-words';
import { t } from '../../../base/text/text';
import { Button, Menu } from '../../../ui';

export interface AddMissingProps {
  path: string;
  scope: ProjectScope;
  onAdded(words: string, failed: boolean): void;
}

/** Puts on the canvas what the project has and the canvas lacks. */
export function AddMissing({ path, scope, onAdded }: AddMissingProps) {
  const add = useAction('projects.addMissing');
  const put = (types: EntityType[]) =>
    add.mutate(
      { ...scope, path, types },
      {
        onSuccess: ({ added }) =>
          onAdded(added === 0 ? t('canvas.addedNone') : t('canvas.added', { count: added }), false),
        onError: (error) => onAdded(failureText(error), true),
      },
    );
  return (
    <Menu
      items={[
        { label: t('canvas.addPlans'), run: () => put(['milestone', 'story']) },
        { label: t('canvas.addWork'), run: () => put(['milestone', 'story', 'task']) },
        { label: t('canvas.addAll'), run: () => put([...EntityType.options]) },
      ]}
    >
      <Button size="s" busy={add.isPending}>
        <Plus size={13} strokeWidth={2} aria-hidden />
        {t('canvas.add')}
      </Button>
    </Menu>
  );
}
