import { FilePlus, Folder, MessageSquarePlus, NotebookText, Search } from 'lucide-react';
import { type ReactNode, Suspense } from 'react';
import { runCommand, useCommands } from '../base/keyboard/commands';
import { keyLabels } from '../base/keyboard/keys';
import { useLayout } from '../base/layout/layout';
import { isCanvas, type Tab } from '../base/layout/layout-state';
import { ErrorBoundary } from '../base/parts/ErrorBoundary';
import { t } from '../base/text/text';
import { Button, EmptyState, Kbd, preloaded, Spinner } from '../ui';
import { TabBar, tabName } from './TabBar';

const NoteEditor = preloaded(() => import('../features/note').then((door) => door.NoteEditor));
const OwnApprovals = preloaded(() => import('../features/approvals').then((door) => door.OwnApprovals));
const NoteApprovals = preloaded(() => import('../features/approvals').then((door) => door.NoteApprovals));
const ServerView = preloaded(() => import('../features/views').then((door) => door.ServerView));
const ServersView = preloaded(() => import('../features/servers').then((door) => door.ServersView));
const HealthView = preloaded(() => import('../features/health').then((door) => door.HealthView));
const HistoryView = preloaded(() => import('../features/history').then((door) => door.HistoryView));
const ProjectsView = preloaded(() => import('../features/projects').then((door) => door.ProjectsView));
const VersionView = preloaded(() => import('../features/versions').then((door) => door.VersionView));
const CanvasTab = preloaded(() => import('../features/projects').then((door) => door.CanvasTab));

export function TabArea() {
  const { tabs, activeTab } = useLayout();
  const tab = tabs.find(({ id }) => id === activeTab);
  return (
    <>
      <ErrorBoundary small>
        <TabBar />
      </ErrorBoundary>
      <div
        className="tab-content"
        role="tabpanel"
        id="tab-content"
        tabIndex={-1}
        aria-label={tab ? tabName(tab) : t('tabs.none')}
      >
        {tab ? (
          <ErrorBoundary key={tab.id}>
            <Suspense fallback={<Loading />}>
              <Content tab={tab} />
            </Suspense>
          </ErrorBoundary>
        ) : (
          <NothingOpen />
        )}
      </div>
    </>
  );
}

function Content({ tab }: { tab: Tab }) {
  if (tab.kind === 'note' && isCanvas(tab.path)) return <CanvasTab path={tab.path} />;
  if (tab.kind === 'note') {
    // Its own boundary: the editor must not be hidden, and lose the focus, while this part is fetched.
    const approvals = (
      <ErrorBoundary small>
        <Suspense>
          <NoteApprovals path={tab.path} />
        </Suspense>
      </ErrorBoundary>
    );
    return (
      <NoteWithVersion path={tab.path}>
        <NoteEditor
          path={tab.path}
          approvals={approvals}
          showView={({ call, onMessage, onClose }) => (
            <ErrorBoundary>
              <Suspense>
                <ServerView
                  tool={call.tool}
                  path={tab.path}
                  args={call.arguments}
                  outcome={call}
                  record={call.record}
                  approvals={<OwnApprovals serverId={call.tool.serverId} tool={null} />}
                  approvalsIn="note"
                  onMessage={onMessage}
                  onClose={onClose}
                />
              </Suspense>
            </ErrorBoundary>
          )}
        />
      </NoteWithVersion>
    );
  }
  switch (tab.view) {
    case 'servers':
      return <ServersView />;
    case 'health':
      return <HealthView />;
    case 'history':
      return <HistoryView />;
    case 'projects':
      return <ProjectsView />;
  }
}

/** A version that is looked at lies over its note, which goes on below it and takes no keys. */
function NoteWithVersion({ path, children }: { path: string; children: ReactNode }) {
  const version = useLayout((layout) => layout.version);
  const isShown = useLayout(({ rightOpen, side }) => rightOpen && side === 'history');
  const visibleVersion = version?.path === path && isShown ? version : null;
  return (
    <>
      <div className="note-below" inert={visibleVersion !== null}>
        {children}
      </div>
      {visibleVersion && (
        <ErrorBoundary key={visibleVersion.id}>
          <Suspense fallback={<Loading />}>
            <VersionView path={path} id={visibleVersion.id} />
          </Suspense>
        </ErrorBoundary>
      )}
    </>
  );
}

const Loading = () => (
  <div className="waiting">
    <Spinner size={20} />
  </div>
);

const offers = [
  ['note.newConversation', MessageSquarePlus],
  ['note.new', FilePlus],
  ['switcher.open', Search],
  ['vault.openOther', Folder],
] as const;

function NothingOpen() {
  const commands = useCommands((registry) => registry.commands);
  return (
    <EmptyState icon={NotebookText} title={t('tabs.none')} text={t('tabs.noneText')}>
      <ul className="offers">
        {offers.map(([id, Icon]) => {
          const command = commands.get(id);
          if (!command) return null;
          return (
            <li key={id}>
              <Button look="quiet" onClick={() => runCommand(id)}>
                <Icon size={16} strokeWidth={1.75} aria-hidden />
                {command.title}
                {command.keys && <Kbd keys={keyLabels(command.keys)} />}
              </Button>
            </li>
          );
        })}
      </ul>
    </EmptyState>
  );
}
