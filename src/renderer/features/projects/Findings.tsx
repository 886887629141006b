import type { ReactNode } from 'react';
import type { ProjectOverview } from '../../../contract/projects';
import { useLayout } from '../../base/layout/layout';
import { t } from '../../base/text/text';
import { EntityLink } from './EntityLink';
import { fieldWord, some } from './words';

/** What the analysis found; a list that is empty is not shown. */
export function Findings({ overview, onOpen }: { overview: ProjectOverview; onOpen(id: string): void }) {
  const { blockers, ready, criticalPath, stale, problems, totals, archived } = overview;
  return (
    <>
      <Panel title={t('overview.problems')} total={totals.problems} listed={problems.length}>
        {problems.map((problem) => (
          <li key={JSON.stringify(problem)}>
            <Problem problem={problem} onOpen={onOpen} />
          </li>
        ))}
      </Panel>
      <Panel title={t('overview.blockers')} total={totals.blockers} listed={blockers.length}>
        {blockers.map(({ holdsUp, waitsFor, status: _, ...entity }) => (
          <li key={entity.id}>
            <EntityLink
              entity={entity}
              note={
                holdsUp > 0
                  ? t('overview.holdsUp', { count: holdsUp })
                  : waitsFor.length > 0
                    ? t('overview.waitsFor', { ids: some(waitsFor, 1) })
                    : ''
              }
              onOpen={onOpen}
            />
          </li>
        ))}
      </Panel>
      <Panel title={t('overview.criticalPath')} total={totals.criticalPath} listed={criticalPath.length}>
        {criticalPath.map((entity) => (
          <li key={entity.id}>
            <EntityLink entity={entity} onOpen={onOpen} />
          </li>
        ))}
      </Panel>
      <Panel title={t('overview.ready')} total={totals.ready} listed={ready.length}>
        {ready.map(({ id, title }) => (
          <li key={id}>
            <EntityLink entity={{ id, title }} onOpen={onOpen} />
          </li>
        ))}
      </Panel>
      <Panel title={t('overview.stale')} total={totals.stale} listed={stale.length}>
        {stale.map(({ id, title, days }) => (
          <li key={id}>
            <EntityLink entity={{ id, title }} note={t('overview.days', { count: days })} onOpen={onOpen} />
          </li>
        ))}
      </Panel>
      {archived > 0 && <p className="project-quiet">{t('overview.archived', { count: archived })}</p>}
    </>
  );
}

function Panel(props: { title: string; total: number; listed: number; children: ReactNode }) {
  const { title, total, listed, children } = props;
  if (total === 0) return null;
  return (
    <section className="project-panel">
      <h2>
        {title} <small>{total}</small>
      </h2>
      <ul>{children}</ul>
      {total > listed && <p className="project-quiet">{t('overview.moreOf', { count: total - listed })}</p>}
    </section>
  );
}

function Problem(props: { problem: ProjectOverview['problems'][number]; onOpen(id: string): void }) {
  const { problem, onOpen } = props;
  const openNote = useLayout((layout) => layout.openNote);
  const line = (text: string, open: () => void) => (
    <button type="button" className="step" onClick={open}>
      <span className="step-text">{text}</span>
    </button>
  );
  switch (problem.kind) {
    case 'circle':
      return line(t('overview.circle', { ids: problem.ids.join(' → ') }), () => onOpen(problem.ids[0] ?? ''));
    case 'broken': {
      const { id, field, missing } = problem;
      return line(t('overview.broken', { id, field: fieldWord(field), missing }), () => onOpen(id));
    }
    case 'duplicate': {
      const { id, paths } = problem;
      return line(t('overview.duplicate', { id, count: paths.length }), () => openNote(paths[0] ?? ''));
    }
    case 'unreadable':
      return line(t('overview.unreadable', { path: problem.path }), () => openNote(problem.path));
  }
}
