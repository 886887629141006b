import { useQuery } from '@tanstack/react-query';
import { useCore } from '../../base/core/core';
import type { NewServers, Offered } from './new-servers';

const nothing: Offered = { servers: [], skipped: [] };

/** What servers the text, or what was chosen in its place, offers. */
export function useRecognised({ text, chosen }: Pick<NewServers, 'text' | 'chosen'>) {
  const core = useCore();
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['mcp.recognise', text],
    queryFn: ({ signal }) => core.call('mcp.recognise', { text }, { signal, waits: true }),
    placeholderData: (previous) => previous,
    enabled: text.trim() !== '',
  });
  const recognised = chosen === null && text.trim() !== '' ? data : undefined;
  const offered: Offered = chosen ?? (recognised && 'servers' in recognised ? recognised : nothing);
  /** What is shown is still that of the text before. */
  const outdated = chosen === null && isPlaceholderData;
  return { recognised, error, offered, outdated };
}
