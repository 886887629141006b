import { spawn } from 'node:child_process';
import { endWithInput, serve, text, tool } from './speak.mjs';

const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1000)'], {
  stdio: 'inherit',
});
serve({
  'tools/list': () => ({ tools: [tool('pids')] }),
  'tools/call': () => text(`${process.pid} ${child.pid}`),
});
endWithInput();
