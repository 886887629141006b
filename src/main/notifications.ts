import type { Notification, NotificationConstructorOptions } from 'electron';
import type { Run } from '../contract/chat';
import type { App } from '../core/app';

/** Tells a person who looks elsewhere that an answer is done, failed, or waits for a yes. */
export function createNotifications({
  Notification: Note,
  app,
  isWatched,
  show,
}: {
  Notification: new (options: NotificationConstructorOptions) => Pick<Notification, 'on' | 'show'>;
  app: Pick<App, 'chat' | 'tools'>;
  /** Whether the person sees the window now. */
  isWatched: () => boolean;
  show: (notePath: string | null) => void;
}): () => void {
  const shownIds = new Set<string>();

  function tell(id: string, title: string, body: string, path: string | null): void {
    if (shownIds.has(id)) return;
    shownIds.add(id);
    if (isWatched()) return;
    const note = new Note({ title, body });
    note.on('click', () => show(path));
    note.show();
  }

  const stops = [
    app.chat.runs.onChange((runs) => {
      for (const run of runs) {
        const title = endOf(run);
        if (title) tell(`run ${run.runId}`, title, run.path, run.path);
      }
    }),
    app.tools.approvals.onChange((approvals) => {
      for (const { id, title, serverName, path } of approvals)
        tell(`approval ${id}`, 'A tool waits for your approval', `${serverName}: ${title}`, path);
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

function endOf(run: Run): string | undefined {
  if (run.kind !== 'answer') return undefined;
  const { phase } = run;
  if (phase.kind === 'failed') return 'The answer failed';
  if (phase.kind === 'finished' && phase.reason !== 'cancelled') return 'The answer is complete';
  return undefined;
}
