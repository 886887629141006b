import { endWithInput, serve, text, tool } from './speak.mjs';

await new Promise((resolve) => setTimeout(resolve, Number(process.env.START_AFTER ?? 0)));
const counts = {};
const counted = (method, answer) => [
  method,
  (...asked) => {
    counts[method] = (counts[method] ?? 0) + 1;
    return answer(...asked);
  },
];
serve(
  Object.fromEntries([
    counted('tools/list', () => ({ tools: [tool('wait'), tool('counts')] })),
    counted('notifications/cancelled', () => undefined),
    counted('tools/call', async ({ name, arguments: args }) => {
      if (name === 'counts') return text(JSON.stringify(counts));
      await new Promise((resolve) => setTimeout(resolve, args.ms));
      return text('waited');
    }),
  ]),
);
endWithInput();
