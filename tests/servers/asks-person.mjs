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
const questions = {
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
    'tools/list': () => ({ tools: Object.keys(questions).map((name) => tool(name)) }),
    'tools/call': async ({ name }) => {
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
