// Sends values by the hundred thousand, each of them wrong, where every one is checked. Argument: where.
import { endWithInput, send, serve, text, tool } from './speak.mjs';

const [where] = process.argv.slice(2);
const many = (one) => Array.from({ length: 49_000 }, one);
/** Of names a message may have 30,000. */
const bad = (one = {}) => Object.fromEntries(many((_, at) => [`k${at}`, one]).slice(0, 29_000));
const form = (properties) => ({ message: 'hi', requestedSchema: { type: 'object', properties } });
const asked = {};

function ask(method, params) {
  send({ id: 'q', method, params });
  return new Promise((resolve) => {
    asked.resolve = ({ result, error }) => resolve(text(error?.message ?? JSON.stringify(result)));
  });
}

const calls = {
  form: () => ask('elicitation/create', form(bad())),
  turns: () => ask('sampling/createMessage', { maxTokens: 5, messages: many(() => ({ content: {} })) }),
  questions: () => ({
    resultType: 'input_required',
    inputRequests: bad({ method: 'elicitation/create', params: form({}) }),
  }),
  embedded: () => ({
    resultType: 'input_required',
    inputRequests: { a: { method: 'elicitation/create', params: form(bad()) } },
  }),
  parts: () => ({ content: many((_, at) => ({ type: 'text', text: `${at}` })) }),
  results: () => ({ resultType: 'complete', content: many(() => ({ type: 'text', text: 1 })) }),
};
const isModern = ['questions', 'embedded', 'results'].includes(where);
const about = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const info = { name: 'many', version: '1' };

serve({
  ...(isModern && {
    'server/discover': () => ({
      ...about,
      ...{ supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo: info },
    }),
  }),
  ...(where === 'icons' && {
    initialize: ({ protocolVersion }) => ({
      ...{ protocolVersion, capabilities: { tools: {} } },
      serverInfo: { ...info, icons: many(() => ({ src: 1 })) },
    }),
  }),
  'tools/list': () => ({
    tools: [tool('go'), ...(where === 'tools' ? many(() => ({ name: 1 })).slice(0, 9_999) : [])],
    ...(isModern && about),
  }),
  'tools/call': () => calls[where](),
  '(response)': (message) => asked.resolve?.(message),
});
endWithInput();
