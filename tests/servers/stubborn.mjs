import { serve, text, tool } from './speak.mjs';

process.on('SIGTERM', () => undefined);
process.on('SIGINT', () => undefined);
setInterval(() => undefined, 1_000);
serve({ 'tools/list': () => ({ tools: [tool('pid')] }), 'tools/call': () => text(process.pid) });
