import type { AnswerRun, RunPhase } from '../../contract/chat';
import type { Handlers } from '../../contract/define';
import type { AppOperations } from '../../contract/operations';
import type { ApprovalAsked } from '../../contract/tools';
import { createExampleSession } from './editor-session';
import { exampleAnswer, exampleNote, longNote } from './editor-text';
import { createExampleCore } from './example-core';
import { live } from './live';
import { soon } from './soon';

export interface EditorExampleOptions {
  theme: string;
  /** Characters of the note; 0: the example note. */
  size: number;
  /** Tokens a second that an answer comes with. */
  rate: number;
  /** Tokens of an answer; 0: the example answer. */
  tokens: number;
  why: string;
}

const path = 'projects/Apollo/Overview.md';

/** The example core with a note that can be written, and answers that stream into it. One closure over the one note; a list of answers to operations. */
export function createEditorCore(options: EditorExampleOptions) {
  const base = createExampleCore({ vault: 'open', theme: options.theme, language: 'en', empty: false });
  const session = createExampleSession(options.size > 0 ? longNote(options.size) : exampleNote);
  const runs = live<AnswerRun[]>([]);
  const approvals = live<ApprovalAsked[]>([]);
  let decided: (allowed: boolean) => void = () => undefined;
  let stopped = false;

  const change = (changes: Partial<AnswerRun>) =>
    runs.set(runs.get().map((run, at) => (at === 0 ? { ...run, ...changes } : run)));
  const phase = (next: RunPhase) => change({ phase: next });

  async function stream(runId: string, from: number, text: string): Promise<number> {
    const tokens = text.match(/\s+\S*|\S+/g) ?? [];
    const perBatch = Math.max(1, Math.round(options.rate / 30));
    let at = from;
    for (let next = 0; next < tokens.length && !stopped; next += perBatch) {
      const insert = tokens.slice(next, next + perBatch).join('');
      session.edit(runId, at, at, insert);
      at += insert.length;
      change({ characters: at - from });
      await soon(1000 / Math.min(30, options.rate));
    }
    return at;
  }

  async function answer(runId: string, at: number): Promise<void> {
    phase({ kind: 'waiting', since: Date.now() });
    await soon(150);
    const opening = '\n\n#Claude : ';
    session.edit(runId, at, at, opening);
    let end = at + opening.length;
    phase({ kind: 'writing' });
    if (options.tokens === 0) {
      end = await stream(runId, end, 'I look at what the notes say about her first.\n\n');
      end = await call(runId, end);
    }
    const words = Array.from(
      { length: options.tokens },
      (_, n) => `word${n % 97}${n % 40 === 39 ? '.\n\n' : ' '}`,
    );
    await stream(runId, end, options.tokens > 0 ? words.join('') : exampleAnswer);
    const reason = stopped ? ('cancelled' as const) : ('stop' as const);
    change({ phase: { kind: 'finished', reason }, finishedAt: Date.now() });
  }

  async function call(runId: string, at: number): Promise<number> {
    const running =
      '> [!tool]- memory · create_entities · running\n> ```memory\n> tool: create_entities\n> entities:\n>   - name: Grace\n>     entityType: person\n> ```\n> ```result running\n> ```\n\n';
    session.edit(runId, at, at, running);
    const one = {
      callId: 'c1',
      server: 'memory',
      tool: 'create_entities',
      startedAt: Date.now(),
      ms: null,
      progress: null,
    };
    change({ calls: [{ ...one, state: 'asked' }], phase: { kind: 'calling', running: 0, asked: 1 } });
    approvals.set([exampleApproval(runId, options.why)]);
    const allowed = await new Promise<boolean>((resolve) => (decided = resolve));
    approvals.set([]);
    const progress = { progress: 3, total: 10, message: 'writing entities' };
    change({
      calls: [{ ...one, state: 'running', progress }],
      phase: { kind: 'calling', running: 1, asked: 0 },
    });
    await soon(1500);
    const done = running
      .replace('· running', '· 640 ms')
      .replace('result running', `result ${allowed ? 'ok' : 'denied'} ms=640`)
      .replace('> ```\n\n', '> {"created":1}\n> ```\n\n');
    session.edit(runId, at, at + running.length, done);
    change({ calls: [{ ...one, state: allowed ? 'ok' : 'denied', ms: 640 }], phase: { kind: 'writing' } });
    return at + done.length;
  }

  const handlers: Handlers<AppOperations> = {
    ...base,
    'notes.follow': ({ seen }, { signal }) => session.follow(seen, signal),
    'notes.push': ({ version, updates }) => ({ version: session.push(version, updates) }),
    'chat.run': ({ at }) => {
      stopped = false;
      const runId = `run-${Date.now()}`;
      runs.set([newRun(runId)]);
      void answer(runId, at);
      return { runId };
    },
    'chat.stop': () => {
      stopped = true;
    },
    'chat.runBlock': ({ at }) => {
      const end = session.find('\n```', at) + 4;
      const result =
        '\n> [!tool]- memory · create_entities · 38 ms\n> ```result ok ms=38\n> [{"name":"Apollo review"}]\n> ```';
      session.edit('call-1', end, end, result);
      return { callId: 'call-1' };
    },
    'chat.runs': (_, { signal }) => runs.follow(signal),
    'chat.answerer': () => ({ tag: 'Claude', model: 'claude-sonnet-4-5', unavailable: [] }),
    'chat.preview': () => ({
      provider: 'Anthropic',
      model: 'claude-sonnet-4-5',
      turns: 6,
      estimatedTokens: 1_284,
      toolTokens: 2_410,
      tools: 26,
      contextWindow: 200_000,
      estimatedCost: 0.004,
      toolTurns: [],
      expanded: [
        { target: 'Inbox', server: null, characters: 2_310, tokens: 610 },
        { target: 'docs://style/guide', server: 'docs', characters: 940, tokens: 240 },
      ],
      attachments: [{ target: 'attachments/frame.png', mediaType: 'image/png', bytes: 84_000 }],
      warnings: ['“projects/Apollo/Risks” is larger than the limit; its first 50,000 characters are sent.'],
      unsent: [],
    }),
    'chat.promptTurns': () => ({ turns: [{ role: 'user', text: 'Review this.' }] }),
    'tools.approvals': (_, { signal }) => approvals.follow(signal),
    'tools.decide': ({ decision }) => decided(decision.kind !== 'deny'),
  };
  return { handlers, session };
}

function newRun(runId: string): AnswerRun {
  return {
    kind: 'answer',
    runId,
    path,
    provider: 'Anthropic',
    model: 'claude-sonnet-4-5',
    tag: 'Claude',
    phase: { kind: 'preparing' },
    round: 1,
    startedAt: Date.now(),
    finishedAt: null,
    characters: 0,
    usage: null,
    cost: null,
    calls: [],
  };
}

const exampleSources: NonNullable<ApprovalAsked['flow']> = [
  { kind: 'note', name: 'Garden/Plan.md', places: [], reads: ['private', 'untrusted'] },
  {
    kind: 'tool',
    name: 'fetch',
    tool: 'fetch',
    places: ['garden.example', 'seeds.example'],
    reads: ['untrusted'],
  },
];

function exampleApproval(runId: string, kind: string): ApprovalAsked {
  const why: ApprovalAsked['why'] =
    kind === 'changed'
      ? {
          kind,
          before: 'Creates entities in memory.',
          after: 'Creates entities in memory and sends them to a server.',
        }
      : kind === 'call-limit'
        ? { kind, calls: 25 }
        : kind === 'cached'
          ? { kind, ageMs: 1_260_000 }
          : { kind: kind === 'flow' ? 'flow' : 'policy' };
  return {
    id: 'ask-1',
    callId: 'c1',
    runId,
    path,
    by: 'model',
    serverId: 'srv-memory',
    serverName: 'memory',
    tool: 'create_entities',
    title: 'Create entities',
    ...(kind === 'flow' && { flow: exampleSources }),
    arguments: {
      entities: [{ name: 'Grace', entityType: 'person', observations: ['Looks after the suppliers'] }],
    },
    annotations: { destructive: false, idempotent: true },
    askedAt: Date.now(),
    why,
  };
}
