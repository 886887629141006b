// Whatever it is asked for has one string in it as long as the arguments say: the sign, and how often it stands there.
import { endWithInput, send, serve, tool } from './speak.mjs';

const [sign, count] = process.argv.slice(2);
const long = sign.repeat(Number(count));
const part = (fields) => ({ content: [fields] });
const link = (fields) => part({ type: 'resource_link', uri: 'a:b', name: 'n', ...fields });
const resource = (fields) => part({ type: 'resource', resource: { uri: 'a:b', text: 't', ...fields } });

const results = {
  text: () => part({ type: 'text', text: long }),
  'failed text': () => ({ isError: true, ...part({ type: 'text', text: long }) }),
  'name of a link': () => link({ name: long }),
  'address of a link': () => link({ uri: `http://x/${long}` }),
  'title of a link': () => link({ title: long }),
  'description of a link': () => link({ description: long }),
  'type of a picture': () => part({ type: 'image', mimeType: `image/${long}`, data: 'AAAA' }),
  'text of a resource': () => resource({ text: long }),
  'address of a resource': () => resource({ uri: `a:${long}` }),
  'type of a resource': () => resource({ mimeType: long }),
  'structured text': () => ({ content: [], structuredContent: { a: long } }),
  'structured name': () => ({ content: [], structuredContent: { [long]: 1 } }),
  'part of another type': () => part({ type: 'hologram', shape: long }),
  'name of another type': () => part({ type: long }),
  'result of the oldest revision': () => ({ toolResult: long }),
  'many texts': () => ({
    content: Array.from({ length: 100 }, () => ({ type: 'text', text: sign.repeat(Number(count) / 100) })),
  }),
  'many names': () => ({
    content: Array.from({ length: 100 }, () => link({ name: sign.repeat(Number(count) / 100) }).content[0]),
  }),
  error: (id) => send({ id, error: { code: 1, message: long } }),
};
serve(
  {
    'tools/list': () => ({ tools: Object.keys(results).map((name) => tool(name)) }),
    'tools/call': ({ name }, id) => {
      const result = results[name](id);
      return typeof result === 'object' ? result : undefined;
    },
    'prompts/list': () => ({ prompts: [{ name: 'p', description: long }] }),
    'prompts/get': () => ({
      description: long,
      messages: [
        { role: 'user', content: { type: 'text', text: long } },
        { role: 'assistant', content: link({ name: long, title: long }).content[0] },
      ],
    }),
  },
  { capabilities: { tools: {}, prompts: {} } },
);
endWithInput();
