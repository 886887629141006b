import { endWithInput, send, serve, text, tool } from './speak.mjs';

let answer;
serve({
  'tools/list': () => ({ tools: [tool('roots')] }),
  'tools/call': async () => {
    const asked = new Promise((resolve) => {
      answer = resolve;
    });
    send({ id: 'roots-1', method: 'roots/list' });
    const { result } = await asked;
    return text(result ? JSON.stringify(result) : 'refused');
  },
  '(response)': (message) => answer?.(message),
});
endWithInput();
