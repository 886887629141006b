import { endWithInput, serve, text, tool } from './speak.mjs';

process.stdout.write('Server is ready!\n{"not": "a message"}\n\u0000\u0001\u0002\n[1,2]\n"x"\nnull\n');
serve({
  'tools/list': () => {
    for (let line = 0; line < 5_000; line++) process.stdout.write(`debug ${line} {{{\n`);
    return { tools: [tool('x')] };
  },
  'tools/call': () => text('fine'),
});
endWithInput();
