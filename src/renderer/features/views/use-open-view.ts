import { useEffect, useRef, useState } from 'react';
import type { ToolEntry } from '../../../contract/tools';
import type { OpenView } from '../../../contract/views';
import { useCore } from '../../base/core/core';
import { failureText } from '../../base/text/error-words';

type ViewState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'open'; readonly view: OpenView }
  | { readonly kind: 'ended'; readonly words: string };

export interface ViewedCall {
  tool: ToolEntry;
  /** The note that its calls belong to. */
  path: string | null;
  args: Readonly<Record<string, unknown>>;
  /** When the call was made, where only its note tells of it; and whether the note keeps all of the result. */
  record?: { readonly at: number; readonly whole: boolean } | undefined;
}

/** A view that the core keeps open for as long as the component is there, and what it told the model. */
export function useOpenView({ tool, path, args, record: former }: ViewedCall) {
  const core = useCore();
  const [state, setState] = useState<ViewState>({ kind: 'opening' });
  const [attempt, setAttempt] = useState(0);
  const [context, setContext] = useState('');
  const viewId = useRef('');
  const words = useRef('');
  const opened = useRef<AbortController>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens it anew.
  useEffect(() => {
    const closing = new AbortController();
    opened.current = closing;
    const open = async () => {
      const call = former ? { arguments: args as never, at: former.at } : null;
      const request = { serverId: tool.serverId, tool: tool.name, path, call };
      for await (const view of core.stream('views.open', request, { signal: closing.signal })) {
        viewId.current = view.viewId;
        if (words.current !== '') await core.call('views.tell', { viewId: view.viewId, text: words.current });
        // After a lost connection the core knows the view by another id; the page itself has lost nothing.
        setState((now) => (now.kind === 'open' ? now : { kind: 'open', view }));
      }
    };
    open().catch((error: unknown) => {
      if (!closing.signal.aborted) setState({ kind: 'ended', words: failureText(error) });
    });
    return () => closing.abort();
  }, [core, tool.serverId, tool.name, path, attempt]);

  return {
    state,
    /** By which the core knows it now. */
    id: () => viewId.current,
    /** What the model is told of the view. */
    context,
    async tell(text: string): Promise<void> {
      await core.call('views.tell', { viewId: viewId.current, text });
      words.current = text;
      setContext(text);
    },
    /** With the stream the view loses its address and its rights. */
    close(): void {
      opened.current?.abort();
      words.current = '';
      setContext('');
    },
    sayEnded: (why: string) => setState({ kind: 'ended', words: why }),
    openAgain(): void {
      setState({ kind: 'opening' });
      setAttempt((count) => count + 1);
    },
  };
}
