import type { Handlers } from '../../contract/define';
import { AppError } from '../../contract/errors';
import type { AppOperations } from '../../contract/operations';
import { exampleAgents } from './example-agents';
import { createExampleChat } from './example-chat';
import { exampleHealth } from './example-data';
import { createExampleHistory } from './example-history';
import { createExampleMcp } from './example-mcp';
import { exampleProjects } from './example-projects';
import { createExampleProviders } from './example-providers';
import { createExampleRecovery } from './example-recovery';
import { createExampleSettings } from './example-settings';
import { createExampleToolCalls } from './example-tool-calls';
import { createExampleVault } from './example-vault';
import { createExampleVersions } from './example-versions';
import { live } from './live';

export interface ExampleOptions {
  vault: string;
  theme: string;
  language: string;
  empty: boolean;
}

/** Answers everything a screen may ask, from examples in memory. */
export function createExampleCore(options: ExampleOptions): Handlers<AppOperations> {
  const notices = live(
    options.vault === 'untrusted'
      ? [
          {
            id: 'n1',
            at: Date.now(),
            facts: {
              code: 'hook-failed' as const,
              hook: 'Sum up answers',
              reason: 'There is no prompt “Sum up”.',
            },
          },
        ]
      : [],
  );

  return {
    ...createExampleSettings(options.theme, options.language),
    ...createExampleVault(options.vault, options.empty),
    ...createExampleChat(options.empty),
    ...createExampleToolCalls(options.empty),
    ...createExampleHistory(options.empty),
    ...createExampleMcp(options.empty),
    ...createExampleProviders(options.empty),
    ...exampleAgents,
    ...exampleProjects,
    ...createExampleVersions(options.empty),
    ...createExampleRecovery(options.empty),
    'windows.enter': async function* (_, { signal }) {
      yield { layout: null, panels: {}, greeted: [], drafts: {} };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    'windows.keep': () => ({ written: true }),
    'windows.takeUp': () => [],

    'app.info': () => ({
      kind: 'node',
      version: '0.1.0',
      platform: 'linux',
      canPickFolder: true,
      secretStore: 'file',
    }),
    'app.openExternal': () => undefined,
    'app.pickFolder': () => '/home/ada/notes',
    'app.notices': (_, { signal }) => notices.follow(signal),
    'app.dismissNotice': ({ id }) => notices.set(notices.get().filter((notice) => notice.id !== id)),

    'notes.follow': async function* (_, { signal }) {
      yield {
        kind: 'opened' as const,
        sessionId: 's1',
        epoch: 'e1',
        version: 0,
        text: '',
        save: { kind: 'saved' as const, at: Date.now() },
        readOnly: false,
      };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
    'notes.push': ({ version, updates }) => ({ version: version + updates.length }),
    'notes.keep': () => ({ keptAs: null }),
    'notes.save': () => ({ kind: 'saved', at: Date.now() }),

    'views.open': async function* () {},
    'views.call': () => {
      throw new AppError('view.gone', 'There are no views here.', {});
    },
    'views.read': () => [],
    'views.resources': () => ({ resources: [], templates: [] }),
    'views.prompts': () => [],
    'views.tell': () => undefined,

    'health.report': (_, { signal }) =>
      live(
        options.empty ? { servers: [], callsPerMinute: [], slowestTools: [], providers: [] } : exampleHealth,
      ).follow(signal),
  };
}
