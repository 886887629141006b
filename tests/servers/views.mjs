import { readFileSync } from 'node:fs';
import { endWithInput, serve, text, tool } from './speak.mjs';

/** Brings a view for its tools; the view speaks the protocol by hand, and tries what it must not do. */
const page = readFileSync(new URL('./view.html', import.meta.url), 'utf8').replaceAll(
  '__CANARY__',
  process.env.CANARY ?? 'http://127.0.0.1:9',
);
const type = 'text/html;profile=mcp-app';
const pages = {
  'ui://garden/view': page,
  'ui://garden/silent': '<p>Nothing is ever said here.</p>',
  'ui://garden/reaching': page,
};
const ui = (resourceUri, visibility) => ({ _meta: { ui: { resourceUri, visibility } } });
let counted = 0;

const offered = new Set(process.env.SAYS_EXTENSION ? [] : ['(none)']);
serve(
  {
    initialize: ({ protocolVersion, capabilities }) => {
      offered.clear();
      for (const name of Object.keys(capabilities.extensions ?? {})) offered.add(name);
      return {
        protocolVersion,
        capabilities: { tools: {}, resources: {} },
        serverInfo: { name: 'garden', version: '1' },
      };
    },
    'tools/list': () => ({
      tools: [
        tool('show_bed', {
          title: 'Show a bed',
          ...ui('ui://garden/view'),
          inputSchema: { type: 'object', properties: { bed: { type: 'string' } } },
        }),
        tool('silent', ui('ui://garden/silent')),
        tool('reach', { title: 'Reach out', ...ui('ui://garden/reaching') }),
        tool('water', { ...ui(undefined, ['app']), annotations: { readOnlyHint: false } }),
        tool('secret', ui(undefined, ['model'])),
        tool('extensions'),
      ],
    }),
    'tools/call': ({ name, arguments: args }) => {
      if (name === 'water') return text(`watered ${++counted}`);
      if (name === 'extensions') return text([...offered].join(' '));
      return {
        content: [{ type: 'text', text: `Bed ${args?.bed ?? '?'}: beans` }],
        _meta: { shade: 'green' },
        structuredContent: { bed: args?.bed ?? '?', plants: ['beans', 'peas'] },
      };
    },
    // What a page may reach may be said here instead of with the page.
    'resources/list': () => ({
      resources: [
        {
          uri: 'ui://garden/reaching',
          name: 'reaching',
          _meta: { ui: { csp: { connectDomains: ['https://garden.example', 'http://*'] } } },
        },
      ],
    }),
    'resources/read': ({ uri }) =>
      uri in pages
        ? { contents: [{ uri, mimeType: type, text: pages[uri] }] }
        : { contents: [{ uri, mimeType: 'text/plain', text: 'plain' }] },
  },
  { capabilities: { tools: {}, resources: {} } },
);
endWithInput();
