import type { Core } from '../../base/core/core';
import type { MethodParts } from './view-methods';

/** What a view may ask of its own server, by way of the core. `id`: by which the core knows it then. */
export function viewRequests(
  core: Core,
  id: () => string,
): Pick<MethodParts, 'call' | 'read' | 'resources' | 'prompts'> {
  return {
    call: (tool, args, signal) =>
      core.call('views.call', { viewId: id(), tool, arguments: args }, { signal }),
    read: (uri, signal) => core.call('views.read', { viewId: id(), uri }, { signal }),
    resources: (signal) => core.call('views.resources', { viewId: id() }, { signal }),
    prompts: (signal) => core.call('views.prompts', { viewId: id() }, { signal }),
  };
}
