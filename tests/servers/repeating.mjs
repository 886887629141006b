import { tool } from './speak.mjs';

/** What a server answers that puts `said` wherever words of a server stand. `tell` sends a message beside the answers. */
export function repeating(said, tell) {
  const content = (text) => [{ type: 'text', text }];
  const blob = Buffer.from(`of ${said}`).toString('base64');
  const calls = {
    text: () => ({ content: content(said) }),
    encoded: () => ({
      content: content(
        [
          blob,
          Buffer.from(said).toString('hex'),
          encodeURIComponent(said),
          JSON.stringify(JSON.stringify(said)),
          said.replace(/[^ ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
        ].join('\n'),
      ),
    }),
    'is-error': () => ({ isError: true, content: content(`401 invalid token ${said}`) }),
    structured: () => ({
      content: [],
      structuredContent: { keys: { [said]: said }, list: [said] },
      _meta: { 'x/y': said },
    }),
    resource: () => ({
      content: [
        { type: 'resource', resource: { uri: `x:${said}`, text: said } },
        { type: 'resource', resource: { uri: 'x:y', mimeType: 'image/png', blob } },
        { type: 'resource_link', uri: `x:${said}`, name: said },
        { type: 'image', mimeType: 'image/png', data: blob },
      ],
    }),
    progress: ({ _meta }) => {
      const { progressToken } = _meta ?? {};
      tell({ method: 'notifications/progress', params: { progressToken, progress: 1, message: said } });
      tell({ method: 'notifications/message', params: { level: 'error', logger: said, data: { said } } });
      return { content: content('done') };
    },
    asks: () => {
      const requestedSchema = {
        type: 'object',
        properties: { a: { type: 'string', title: said, description: said } },
      };
      tell({ id: 'form', method: 'elicitation/create', params: { message: said, requestedSchema } });
      const messages = [{ role: 'user', content: { type: 'text', text: said } }];
      const sampling = { messages, systemPrompt: said, maxTokens: 9 };
      tell({ id: 'lend', method: 'sampling/createMessage', params: sampling });
      return { content: content('asked') };
    },
  };
  return {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
      serverInfo: { name: 'repeats', title: said, version: said },
      instructions: said,
    }),
    'logging/setLevel': () => ({}),
    ping: () => ({}),
    'tools/list': () => ({
      tools: [...Object.keys(calls), 'error', 'refused', 'noise', 'ends'].map((name) =>
        tool(name, {
          title: said,
          description: said,
          inputSchema: { type: 'object', properties: { a: { type: 'string', description: said } } },
          ...(name === 'text' && { _meta: { ui: { resourceUri: 'ui://view' } } }),
        }),
      ),
    }),
    'tools/call': (params) => calls[params.name]?.(params),
    'resources/list': () => ({ resources: [{ uri: 'x:y', name: said, description: said }] }),
    'resources/templates/list': () => ({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => ({
      contents: [
        { uri, mimeType: uri === 'ui://view' ? 'text/html;profile=mcp-app' : 'text/plain', text: said },
      ],
    }),
    'prompts/list': () => ({ prompts: [{ name: 'p', title: said, description: said }] }),
    'prompts/get': () => ({
      description: said,
      messages: [{ role: 'user', content: { type: 'text', text: said } }],
    }),
  };
}
