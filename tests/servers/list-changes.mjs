import { endWithInput, send, serve, text, tool } from './speak.mjs';

let listed = 0;
const tools = [tool('add'), tool('listed')];
serve(
  {
    'tools/list': () => {
      listed++;
      return { tools };
    },
    'tools/call': ({ name, arguments: args }) => {
      if (name === 'listed') return text(listed);
      tools.push(tool(args.name));
      send({ method: 'notifications/tools/list_changed' });
      return text('added');
    },
  },
  { capabilities: { tools: { listChanged: true } } },
);
endWithInput();
