import { endWithInput, serve, tool } from './speak.mjs';

/** At its start it writes where it may not, and asks a host that nobody allowed. */
serve({ 'tools/list': () => ({ tools: [tool('nothing')] }) });
endWithInput();
process.stderr.write("Error: EROFS: read-only file system, open '/srv/notes/today.md'\n");
fetch('http://weather.example/').catch(() => undefined);
