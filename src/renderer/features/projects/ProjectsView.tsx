import { FolderKanban, Plus } from 'lucide-react';
import { Suspense } from 'react';
import type { ProjectScope, ProjectsState } from '../../../contract/projects';
import { EntityType } from '../../../contract/projects';
import { useConnected } from '../../base/core/connected';
import { useAction } from '../../base/core/core';
import { useLayout } from '../../base/layout/layout';
import { ErrorBoundary } from '../../base/parts/ErrorBoundary';
import { NotConnected } from '../../base/parts/NotConnected';
import { t } from '../../base/text/text';
import { Button, Callout, EmptyState, Menu, Page, preloaded, Segments, Select, Spinner } from '../../ui';
import { Board } from './Board';
import { Check } from './Check';
import { Decisions } from './Decisions';
import { EntityPanel } from './EntityPanel';
import { typeIcons } from './Marks';
import { Overview } from './Overview';
import { useChoice, useOwnChoice, useProjectsState } from './use-project';
import { typeWord } from './words';
import './projects.css';

const CanvasPage = preloaded(() => import('./CanvasPage').then((file) => file.CanvasPage));
const everywhere = '*';

export function ProjectsView() {
  const state = useProjectsState();
  const show = useLayout((layout) => layout.show);
  const again = useAction('projects.list');
  const connected = useConnected();
  if (!state && !connected) {
    return (
      <Page title={t('projects.title')}>
        <NotConnected />
      </Page>
    );
  }
  if (!state || state.kind === 'none' || state.kind === 'reading') {
    return (
      <div className="waiting" aria-busy>
        <Spinner size={20} label={t('projects.reading')} />
        <p>{t('projects.reading')}</p>
      </div>
    );
  }
  if (state.kind === 'failed') {
    return (
      <Page title={t('projects.title')}>
        <Callout
          tone="bad"
          title={t('projects.failed')}
          actions={
            <Button size="s" busy={again.isPending} onClick={() => again.mutate({})}>
              {t('ui.retry')}
            </Button>
          }
        >
          {state.reason}
        </Callout>
      </Page>
    );
  }
  if (state.entities === 0) {
    return (
      <EmptyState icon={FolderKanban} title={t('projects.none')} text={t('projects.noneText')}>
        <Button look="primary" onClick={() => show({ kind: 'new-entity', type: 'milestone' })}>
          <Plus size={14} strokeWidth={2} aria-hidden />
          {t('projects.firstMilestone')}
        </Button>
      </EmptyState>
    );
  }
  return <Project state={state} />;
}

function Project({ state }: { state: Ready }) {
  const choice = useOwnChoice();
  const { page, shownId, set } = choice;
  const show = useLayout((layout) => layout.show);
  // What was chosen may be gone by now.
  const workstream = state.workstreams.includes(choice.workstream ?? '') ? choice.workstream : null;
  const workspace = state.workspaces.some(({ path }) => path === choice.workspace) ? choice.workspace : null;
  const scope = { workstream, workspace };
  const content = () => {
    switch (page) {
      case 'overview':
        return <Overview scope={scope} />;
      case 'board':
        return <Board scope={scope} />;
      case 'decisions':
        return <Decisions scope={scope} />;
      case 'check':
        return <Check />;
      case 'canvas':
        return (
          <ErrorBoundary>
            <Suspense fallback={<Spinner size={20} />}>
              <CanvasPage scope={scope} canvases={state.canvases} />
            </Suspense>
          </ErrorBoundary>
        );
    }
  };
  return (
    <div className="project-page">
      <Page
        title={t('projects.title')}
        fill
        actions={
          <>
            <Segments
              aria-label={t('projects.pages')}
              value={page}
              options={(['overview', 'board', 'decisions', 'canvas', 'check'] as const).map((value) => ({
                value,
                label: t(`projects.${value}`),
              }))}
              onChange={(next) => set({ page: next })}
            />
            <Scope state={state} workstream={workstream} workspace={workspace} />
            <Menu
              align="end"
              items={EntityType.options.map((type) => ({
                label: typeWord(type),
                icon: typeIcons[type],
                run: () => show({ kind: 'new-entity', type }),
              }))}
            >
              <Button look="primary" size="s">
                <Plus size={14} strokeWidth={2} aria-hidden />
                {t('projects.new')}
              </Button>
            </Menu>
          </>
        }
      >
        <div className="project-body">
          <div className="project-main">{content()}</div>
          {shownId !== null && page !== 'check' && (
            <EntityPanel key={shownId} id={shownId} onClose={() => set({ shownId: null })} />
          )}
        </div>
      </Page>
    </div>
  );
}

type Ready = Extract<ProjectsState, { kind: 'ready' }>;

function Scope({ state, workstream, workspace }: { state: Ready } & ProjectScope) {
  const set = useChoice((choice) => choice.set);
  return (
    <>
      {state.workspaces.length > 1 && (
        <Select
          size="s"
          aria-label={t('projects.workspace')}
          value={workspace ?? everywhere}
          options={[
            { value: everywhere, label: t('projects.allWorkspaces') },
            ...state.workspaces.map(({ name, path }) => ({ value: path, label: name })),
          ]}
          onChange={(next) => set({ workspace: next === everywhere ? null : next })}
        />
      )}
      {state.workstreams.length > 0 && (
        <Select
          size="s"
          aria-label={t('projects.workstream')}
          value={workstream ?? everywhere}
          options={[
            { value: everywhere, label: t('projects.allWorkstreams') },
            ...state.workstreams.map((name) => ({ value: name, label: name })),
          ]}
          onChange={(next) => set({ workstream: next === everywhere ? null : next })}
        />
      )}
    </>
  );
}
