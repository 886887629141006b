import type { EditorState } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { type FailureFacts, readFailureFacts } from '../../../../markdown';
import { t } from '../../../base/text/text';
import { noteContext } from '../context/note-context';
import { blocksField, calloutType, sourceOf } from '../reading/blocks';
import { speakerAt } from '../reading/speaker';

/** What a person can do about an answer that failed. */
export interface FailureStep {
  readonly id: 'settings' | 'tools' | 'trim' | 'model' | 'other' | 'later' | 'again';
  readonly words: string;
  act(view: EditorView, at: number): void;
}

/** The steps of a failure, the most helpful first. */
export function failureSteps(source: string): FailureStep[] {
  const facts = readFailureFacts(source);
  const again: FailureStep = { id: 'again', words: t('answer.again'), act: (view, at) => askAgain(view, at) };
  const providers: FailureStep = {
    id: 'settings',
    words: t('answer.providers'),
    act: (view) => actionsOf(view).openSettings('providers', facts?.provider),
  };
  const tools: FailureStep = {
    id: 'tools',
    words: t('answer.limits'),
    act: (view) => actionsOf(view).openSettings('tools'),
  };
  const other: FailureStep = {
    id: 'other',
    words: t('answer.other'),
    act: (view, at) => ask(view, at, { kind: 'choose-answerer', tag: tagAt(view, at), how: 'again' }),
  };
  switch (facts?.kind) {
    case 'rate-limit':
      return [{ id: 'later', words: t('answer.later'), act: (view) => toggle(view, facts) }, again, other];
    case 'auth':
    case 'quota':
      return [providers, again];
    case 'context-overflow':
      return [
        {
          id: 'trim',
          words: t('answer.trim'),
          act: (view, at) => askAgain(view, at, { trim: Math.min(10, (facts.trimmed ?? 0) + 1) }),
        },
        other,
      ];
    case 'model-not-found':
      return [
        {
          id: 'model',
          words: t('answer.model'),
          act: (view, at) =>
            ask(view, at, {
              kind: 'choose-model',
              provider: facts.provider ?? null,
              model: facts.model ?? null,
            }),
        },
        again,
      ];
    case 'overloaded':
    case 'timeout':
    case 'content-filter':
      return [again, other];
    case 'rounds':
      return [tools, again];
    case 'bad-request':
    case 'network':
    case 'incomplete':
    case undefined:
      return [
        ...(source.includes('Settings → Providers') ? [providers] : []),
        ...oldSteps(source, tools),
        again,
      ];
    default:
      return [again];
  }
}

/** Notes of before say in words where to look. */
const oldSteps = (source: string, tools: FailureStep) => (source.includes('Settings → Tools') ? [tools] : []);

const actionsOf = (view: EditorView) => view.state.field(noteContext).actions;

function ask(view: EditorView, at: number, form: Parameters<ReturnType<typeof actionsOf>['ask']>[1]): void {
  actionsOf(view).ask(view, form, { from: at, to: at });
}

/** Who failed; null where no model speaks. */
function tagAt(view: EditorView, at: number): string | null {
  const speaker = speakerAt(view.state, at);
  return speaker?.role === 'assistant' ? speaker.tag : null;
}

export function askAgain(view: EditorView, at: number, how: { trim?: number } = {}): void {
  actionsOf(view).askAgain(view, at, { ...how, again: true });
}

function toggle(view: EditorView, { retryAt }: FailureFacts): void {
  const { waiting } = view.state.field(noteContext);
  if (retryAt !== undefined) actionsOf(view).retryLater(retryAt, !waiting.includes(retryAt));
}

/** The failure at the cursor or the last one above it, else the first one below. */
export function nearestFailure(state: EditorState): { readonly at: number; readonly source: string } | null {
  const { head } = state.selection.main;
  let failure: { at: number; source: string } | null = null;
  state.field(blocksField).set.between(0, state.doc.length, (from, to, block) => {
    if (calloutType(block) !== 'failure') return undefined;
    if (from > head && failure) return false;
    failure = { at: from, source: sourceOf(state, { from, to, value: block }) };
    return undefined;
  });
  return failure;
}
