import { endWithInput, send, serve, text, tool } from './speak.mjs';

const line = `${'noise '.repeat(20)}\n`;
serve({
  'tools/list': () => ({ tools: [tool('flood')] }),
  'tools/call': async () => {
    for (let round = 0; round < 200; round++) {
      process.stderr.write(line.repeat(500));
      for (let n = 0; n < 100; n++)
        send({ method: 'notifications/message', params: { level: 'info', data: `${round}/${n}` } });
      await new Promise((resolve) => setImmediate(resolve));
    }
    return text('done');
  },
});
endWithInput();
