import { endWithInput, send, serve, text, tool } from './speak.mjs';

/** Says how long its lists and resources hold, counts what it is asked, and logs. Argument: the era that it speaks. */
const isModern = process.argv[2] === 'modern';
const ttlMs = Number(process.env.TTL ?? 600_000);
const announces = process.env.ANNOUNCES === 'yes';
const complete = (result) => (isModern ? { resultType: 'complete', ...result } : result);
const holding = (result) => complete(isModern ? { ...result, ttlMs, cacheScope: 'private' } : result);
const capabilities = {
  tools: { listChanged: announces },
  resources: { listChanged: announces },
  prompts: {},
  logging: {},
};
const counts = {};
let level = 'none';
let listening = null;
/** Every state that came back, with the request that brought it. */
const states = [];
/** Nothing that a client may read, trim or write anew. */
const sealed = () => ` {"a": 1.0, "a":2}\u0000\ud83d\ude00\u202e\r\n `;
const asking = () => ({
  resultType: 'input_required',
  requestState: sealed(),
  inputRequests: {
    who: {
      method: 'elicitation/create',
      params: { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
    },
  },
});

const counted = (answers) =>
  Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [
      method,
      (params, id) => {
        counts[method] = (counts[method] ?? 0) + 1;
        if ('requestState' in params) states.push([method, params.requestState === sealed()]);
        level = params._meta?.['io.modelcontextprotocol/logLevel'] ?? level;
        return answer(params, id);
      },
    ]),
  );

const changed = (method) =>
  send({
    method,
    params: isModern ? { _meta: { 'io.modelcontextprotocol/subscriptionId': listening } } : {},
  });

const tools = {
  counts: () => JSON.stringify(counts),
  level: () => level,
  states: () => JSON.stringify(states),
  asks: (params) => ('requestState' in params ? Object.keys(params.inputResponses).join() : asking()),
  flood: () => {
    for (let n = 0; n < 2_000; n++)
      send({ method: 'notifications/message', params: { level: 'info', data: `message ${n}` } });
    return 'flooded';
  },
  change: () => {
    setImmediate(() => changed('notifications/resources/list_changed'));
    return 'changed';
  },
};

serve(
  counted({
    ...(isModern && {
      'server/discover': () =>
        holding({
          supportedVersions: ['2026-07-28'],
          capabilities,
          serverInfo: { name: 'holding', version: '1' },
        }),
      'subscriptions/listen': ({ notifications }, id) => {
        listening = id;
        send({
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
        });
      },
    }),
    'logging/setLevel': (params) => {
      level = params.level;
      return {};
    },
    'tools/list': () => holding({ tools: Object.keys(tools).map((name) => tool(name)) }),
    'tools/call': (params) => {
      const said = tools[params.name](params);
      return typeof said === 'string' ? complete(text(said)) : said;
    },
    'resources/list': () => holding({ resources: [{ uri: 'memo://a', name: 'a' }] }),
    'resources/templates/list': () => holding({ resourceTemplates: [] }),
    'resources/read': ({ uri }) => holding({ contents: [{ uri, text: 'A memo.' }] }),
    'prompts/list': () => holding({ prompts: [] }),
  }),
  { capabilities },
);
endWithInput();
