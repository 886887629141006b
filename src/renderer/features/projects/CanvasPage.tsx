import { Workflow } from 'lucide-react';
import { EntityType, type ProjectScope } from '../../../contract/projects';
import { useAction } from '../../base/core/core';
import { failureText } from '../../base/text/error-words';
import { noteName } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Button, Callout, EmptyState, Select } from '../../ui';
import { CanvasView } from './canvas/CanvasView';
import { useChoice } from './use-project';

const ofProject = 'Projects/Project.canvas';

const plans: EntityType[] = ['milestone', 'story'];

/** The canvases of the vault, one at a time. */
export function CanvasPage({ scope, canvases }: { scope: ProjectScope; canvases: readonly string[] }) {
  const { canvas, set } = useChoice();
  const add = useAction('projects.addMissing');
  /** What is planned above the tasks; where nothing is, all there is. */
  const make = () =>
    add.mutate(
      { ...scope, path: ofProject, types: plans },
      {
        onSuccess: ({ added }) =>
          added === 0 && add.mutate({ ...scope, path: ofProject, types: [...EntityType.options] }),
      },
    );
  const current = canvases.find((path) => path === canvas) ?? canvases[0];
  if (current === undefined) {
    return (
      <>
        <EmptyState icon={Workflow} title={t('canvas.none')} text={t('canvas.noneText')}>
          <Button look="primary" busy={add.isPending} onClick={make}>
            {t('canvas.make')}
          </Button>
        </EmptyState>
        {add.error && <Callout tone="bad">{failureText(add.error)}</Callout>}
      </>
    );
  }
  return (
    <CanvasView
      key={current}
      path={current}
      scope={scope}
      choose={
        canvases.length > 1 && (
          <Select
            size="s"
            aria-label={t('canvas.choose')}
            value={current}
            options={canvases.map((path) => ({
              value: path,
              label: noteName(path).replace(/\.canvas$/, ''),
            }))}
            onChange={(path) => set({ canvas: path })}
          />
        )
      }
    />
  );
}
