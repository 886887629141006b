import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { BridgeClient, RequestOptions } from '../../../bridge/client';
import type { InputOf, ItemOf, NameOf, OutputOf } from '../../../contract/define';
import { isAppError } from '../../../contract/errors';
import type { AppOperations } from '../../../contract/operations';
import { type PlainKey, t } from '../text/text';
import { tellMissed } from './connected';
import { createStates, type Latest, type StateName, type States } from './states';
import { untilSent } from './unsent';

type CallName = NameOf<AppOperations, 'call'>;

export interface Core extends BridgeClient<AppOperations> {
  call<N extends CallName>(
    name: N,
    input: InputOf<AppOperations[N]>,
    /** `label`: what it is called where it was asked for, if that is not what it mostly is. */
    options?: RequestOptions & { readonly label?: string },
  ): Promise<OutputOf<AppOperations[N]>>;
}

const CoreContext = createContext<{ core: Core; states: States } | null>(null);

export function CoreProvider({ core, children }: { core: BridgeClient<AppOperations>; children: ReactNode }) {
  const value = useMemo(() => ({ core: tellingMissed(core), states: createStates(core) }), [core]);
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            networkMode: 'always',
            refetchOnWindowFocus: false,
            retry: (times, error) => times < 3 && isAppError(error, 'connection.lost'),
          },
          mutations: { networkMode: 'always' },
        },
      }),
  );
  return (
    <CoreContext value={value}>
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    </CoreContext>
  );
}

/** What is asked for in many places, by the words of most of them. */
const asWhat: { readonly [N in CallName]?: PlainKey } = {
  'vault.create': 'command.newNote',
  'vault.createFolder': 'files.newFolder',
  'vault.rename': 'files.rename',
  'vault.trash': 'files.delete',
  'settings.change': 'settings.title',
  'chat.stop': 'command.stop',
};

/** Whatever is not done for want of a connection is said in one place, however it was asked for. */
function tellingMissed(core: BridgeClient<AppOperations>): Core {
  return {
    ...core,
    call: (name, input, { label, ...options } = {}) =>
      core.call(name, input, options).catch((error: unknown) => {
        const usual: PlainKey | undefined = asWhat[name];
        if (isAppError(error, 'connection.none')) tellMissed(label ?? (usual ? t(usual) : ''));
        throw error;
      }),
  };
}

function useParts() {
  const parts = useContext(CoreContext);
  if (!parts) throw new Error('useCore needs a CoreProvider above it.');
  return parts;
}

export function useCore(): Core {
  return useParts().core;
}

/** The newest item of a state stream; undefined before the first. */
export function useCoreState<N extends StateName>(
  name: N,
  input: InputOf<AppOperations[N]>,
): ItemOf<AppOperations[N]> | undefined {
  return useLatest(name, input).item;
}

/** As useCoreState, with the reason where nothing comes. */
export function useLatest<N extends StateName>(
  name: N,
  input: InputOf<AppOperations[N]>,
): Latest<ItemOf<AppOperations[N]>> {
  const { states } = useParts();
  const key = JSON.stringify(input);
  const followed = useMemo(
    () => states.follow(name, JSON.parse(key) as InputOf<AppOperations[N]>),
    [states, name, key],
  );
  return useSyncExternalStore(followed.subscribe, followed.read);
}

/** A question asked once and remembered under its name and input. */
export function useAsk<N extends CallName>(
  name: N,
  input: InputOf<AppOperations[N]>,
  options: { enabled?: boolean; staleTime?: number; gcTime?: number } = {},
) {
  const core = useCore();
  return useQuery<OutputOf<AppOperations[N]>>({
    queryKey: [name, input],
    queryFn: ({ signal }) => core.call(name, input, { signal, waits: true }),
    ...options,
  });
}

/**
 * An action with its progress and its failure: `mutate(input)`, `isPending`, `error`. `once`: a second press, quicker than the
 * button can be drawn busy, is the first.
 */
export function useAction<N extends CallName>(name: N, { once = false } = {}) {
  const core = useCore();
  const going = useRef(new Map<string, Promise<OutputOf<AppOperations[N]>>>()).current;
  const mutationFn = useCallback(
    (input: InputOf<AppOperations[N]>) => {
      const key = JSON.stringify(input);
      const first = once ? going.get(key) : undefined;
      if (first) return first;
      const own = untilSent(core.call(name, input)).finally(() => going.delete(key));
      going.set(key, own);
      return own;
    },
    [core, name, once, going],
  );
  return useMutation<OutputOf<AppOperations[N]>, Error, InputOf<AppOperations[N]>>({ mutationFn });
}
