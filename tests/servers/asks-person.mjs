import { endWithInput, send, serve, text, tool } from './speak.mjs';

const answers = new Map();
let id = 0;

function ask(method, params) {
  id++;
  const name = `ask-${id}`;
  const asked = new Promise((resolve) => answers.set(name, resolve));
  send({ id: name, method, params });
  return asked;
}

const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    colour: { type: 'string', enum: ['red', 'blue'], default: 'blue' },
  },
  required: ['name'],
};
/** Asks a model that may call a tool of this server, runs what it calls and asks on, as long as it calls. */
async function loop() {
  const messages = [{ role: 'user', content: { type: 'text', text: 'Is it raining in Ulm?' } }];
  const tools = [
    {
      name: 'weather',
      description: 'The weather of a town',
      inputSchema: { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] },
    },
  ];
  for (;;) {
    const answer = await ask('sampling/createMessage', {
      messages,
      tools,
      toolChoice: { mode: 'auto' },
      maxTokens: 500,
      modelPreferences: { costPriority: 0.9 },
    });
    const called = [answer.result?.content ?? []].flat().filter(({ type }) => type === 'tool_use');
    if (called.length === 0) return answer;
    messages.push({ role: 'assistant', content: answer.result.content });
    const results = called.map(({ id, input }) => ({
      type: 'tool_result',
      toolUseId: id,
      content: [{ type: 'text', text: `Rain in ${input.town}` }],
    }));
    messages.push({ role: 'user', content: results });
  }
}

const unbalanced = [
  { role: 'user', content: { type: 'text', text: 'Go.' } },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: {} }] },
  { role: 'user', content: { type: 'tool_result', toolUseId: 'b', content: [] } },
];

const visit = {
  mode: 'url',
  message: 'Please pay.',
  url: 'https://pay.example/now?x=1',
  elicitationId: 'e3',
};

const questions = {
  loop,
  ping: () => ask('ping', {}),
  unbalanced: () => ask('sampling/createMessage', { messages: unbalanced, maxTokens: 10 }),
  form: () => ask('elicitation/create', { message: 'Who are you?', requestedSchema }),
  url: () =>
    ask('elicitation/create', {
      mode: 'url',
      message: 'Please pay.',
      url: 'https://pay.example/now?x=1',
      elicitationId: 'e1',
    }),
  script: () =>
    ask('elicitation/create', {
      mode: 'url',
      message: 'Go.',
      url: 'javascript:alert(1)',
      elicitationId: 'e2',
    }),
  sample: () =>
    ask('sampling/createMessage', {
      systemPrompt: 'Be short.',
      messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }],
      maxTokens: 1_000_000,
      modelPreferences: { hints: [{ name: 'small' }] },
    }),
};
let memo = 'first';

serve(
  {
    'tools/list': () => ({ tools: [...Object.keys(questions), 'visit'].map((name) => tool(name)) }),
    'tools/call': async ({ name }, id) => {
      if (name === 'visit') {
        const data = { elicitations: [visit] };
        return void send({ id, error: { code: -32042, message: 'Pay first.', data } });
      }
      const { result, error } = await questions[name]();
      return text(JSON.stringify(result ?? { error: error.message }));
    },
    '(response)': (message) => answers.get(message.id)?.(message),
    'resources/list': () => ({ resources: [{ uri: 'memo://a', name: 'a' }, { broken: true }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'memo://{day}', name: 'day' }] }),
    'resources/read': ({ uri }) => ({ contents: [{ uri, mimeType: 'text/plain', text: memo }] }),
    'resources/subscribe': ({ uri }) => {
      setImmediate(() => {
        memo = 'second';
        send({ method: 'notifications/resources/updated', params: { uri } });
      });
      return {};
    },
  },
  { capabilities: { tools: {}, resources: { subscribe: true } } },
);
endWithInput();
