import { endWithInput, send, serve, text, tool } from './speak.mjs';

let answer;
serve({
  'tools/list': () => ({ tools: [tool('roots')] }),
  'tools/call': async () => {
    const asked = new Promise((resolve) => {
      answer = resolve;
    });
    send({ id: 'roots-1', method: 'roots/list' });
    return text(JSON.stringify((await asked).result));
  },
  '(response)': (message) => answer?.(message),
});
endWithInput();
