import { ArrowUpRight, Ellipsis, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { EntityBrief, EntityDetail } from '../../../contract/projects';
import { withLinksAs } from '../../../markdown';
import { useAction } from '../../base/core/core';
import { useNow } from '../../base/core/now';
import { useLayout } from '../../base/layout/layout';
import { failureText } from '../../base/text/error-words';
import { ago, labelled, listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Badge, Callout, IconButton, Menu, Spinner } from '../../ui';
import { Markdown } from '../../ui/Markdown';
import { EntityFields } from './EntityFields';
import { EntityLink } from './EntityLink';
import { Lost } from './Lost';
import { StatusBadge, TypeIcon } from './Marks';
import { useChoice, useProject } from './use-project';
import { fieldWord, shortDate } from './words';
import './detail.css';

export function EntityPanel({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useProject('projects.entity', { id });
  const panel = useRef<HTMLElement>(null);
  const path = useRef<string | null>(null);
  if (data) path.current = data.entity.path;
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      const lost = !document.activeElement || document.activeElement === document.body;
      if (lost && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <aside
      className="entity-panel"
      aria-label={labelled(t('detail.label'), id)}
      tabIndex={-1}
      ref={panel}
      onKeyDown={(event) => {
        if (
          event.key !== 'Escape' ||
          event.defaultPrevented ||
          !event.currentTarget.contains(event.target as Node)
        )
          return;
        event.preventDefault();
        onClose();
      }}
    >
      {data ? (
        <Detail detail={data} onClose={onClose} />
      ) : (
        <>
          <header className="entity-head">
            <span className="entity-id">{id}</span>
            <span className="card-space" />
            <IconButton icon={X} label={t('ui.close')} onClick={onClose} />
          </header>
          {error ? <Lost id={id} path={path.current} error={error} again={refetch} /> : <Spinner size={20} />}
        </>
      )}
    </aside>
  );
}

function Detail({ detail, onClose }: { detail: EntityDetail; onClose(): void }) {
  const { entity, body, missing, history, outdatedBy } = detail;
  const { askToOpen } = useLayout();
  const set = useChoice((choice) => choice.set);
  const archive = useAction('projects.update');
  const now = useNow(30_000);
  const open = (id: string) => set({ shownId: id });
  return (
    <>
      <EntityHead detail={detail} archive={archive} onClose={onClose} />
      <div className="entity-scroll">
        <div className="entity-heading">
          <h2>{entity.title}</h2>
          <small title={entity.updated}>
            {t('detail.updated', { time: ago(Date.parse(entity.updated) || now, now) })}
          </small>
        </div>
        {archive.error && <Callout tone="bad">{failureText(archive.error)}</Callout>}
        {missing.length > 0 && <Callout tone="warn">{t('detail.missing', { ids: listed(missing) })}</Callout>}
        <EntityFields detail={detail} onOpen={open} />
        <Relations detail={detail} onOpen={open} />
        {outdatedBy.length > 0 && (
          <Group title={t('detail.outdated')}>
            {outdatedBy.map((each) => (
              <EntityLink key={each.id} entity={each} onOpen={open} />
            ))}
          </Group>
        )}
        {history.length > 0 && (
          <Group title={t('detail.history')}>
            {history.map(({ id, title, status, version, date, summary }) => (
              <div key={id} className="history-step" aria-current={id === entity.id || undefined}>
                <EntityLink entity={{ id, title, status }} onOpen={open} />
                <small>
                  {[version && t('detail.version', { version }), date && shortDate(date), summary]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </div>
            ))}
          </Group>
        )}
        <Group title={t('detail.text')}>
          {body === '' ? (
            <p className="project-quiet">{t('detail.noText')}</p>
          ) : (
            <Markdown text={withoutWikiLinks(body)} onLink={askToOpen} />
          )}
        </Group>
      </div>
    </>
  );
}

interface EntityHeadProps {
  detail: EntityDetail;
  archive: ReturnType<typeof useAction<'projects.update'>>;
  onClose(): void;
}

function EntityHead({ detail, archive, onClose }: EntityHeadProps) {
  const { entity } = detail;
  const { openNote } = useLayout();
  /** What the menu was opened on. */
  const [opened, setOpened] = useState<EntityBrief | null>(null);
  const chosen = opened ?? entity;
  const put = (cascade: boolean) =>
    archive.mutate({
      id: chosen.id,
      data: { archived: !chosen.archived, ...(cascade && { cascade }) },
      revision: chosen.revision,
    });
  const words = chosen.archived
    ? ({ one: 'detail.restore', all: 'detail.restoreAll' } as const)
    : ({ one: 'detail.archive', all: 'detail.archiveAll' } as const);
  return (
    <header className="entity-head">
      <TypeIcon type={entity.type} size={16} />
      <span className="entity-id">{entity.id}</span>
      <StatusBadge status={entity.status} />
      {entity.archived && <Badge>{t('detail.archived')}</Badge>}
      <span className="card-space" />
      <IconButton icon={ArrowUpRight} label={t('detail.openNote')} onClick={() => openNote(entity.path)} />
      <Menu
        align="end"
        onOpenChange={(isOpen) => setOpened(isOpen ? entity : null)}
        items={[
          { label: t(words.one), run: () => put(false) },
          ...(detail.children.length > 0 ? [{ label: t(words.all), run: () => put(true) }] : []),
        ]}
      >
        <IconButton icon={Ellipsis} label={t('ui.more')} />
      </Menu>
      <IconButton icon={X} label={t('ui.close')} onClick={onClose} />
    </header>
  );
}

function Relations({ detail, onOpen }: { detail: EntityDetail; onOpen(id: string): void }) {
  const { parent, children, dependencies, dependents, names, namedBy } = detail;
  const groups: [string, readonly EntityBrief[]][] = [
    [t('detail.parent'), parent ? [parent] : []],
    [t('detail.dependencies'), dependencies],
    [t('detail.dependents'), dependents],
    [t('detail.children'), children],
    ...[...Map.groupBy(names, ({ field }) => field)].map(([field, all]): [string, readonly EntityBrief[]] => [
      fieldWord(field),
      all.map(({ entity }) => entity),
    ]),
    ...[...Map.groupBy(namedBy, ({ field }) => field)].map(
      ([field, all]): [string, readonly EntityBrief[]] => [
        t('detail.namedBy', { field: fieldWord(field) }),
        all.map(({ entity }) => entity),
      ],
    ),
  ];
  return groups
    .filter(([, entities]) => entities.length > 0)
    .map(([title, entities]) => (
      <Group key={title} title={title} count={entities.length}>
        {entities.map((entity) => (
          <EntityLink key={entity.id} entity={entity} onOpen={onOpen} />
        ))}
      </Group>
    ));
}

function Group({ title, count, children }: { title: string; count?: number; children: ReactNode }) {
  return (
    <section className="entity-group">
      <h3>
        {title} {count !== undefined && count > 1 && <small>{count}</small>}
      </h3>
      {children}
    </section>
  );
}

/** Links to notes are followed in the note; here they are read as its name. */
const withoutWikiLinks = (text: string) =>
  withLinksAs(text, ({ target }, words) => words || target.replace(/^.*\//, ''));
