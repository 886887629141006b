import nodeModule from 'node:module';
import { resolve } from 'node:path';

import { leaveOldNode } from '../files/needed-node';
import { keepPrivate } from '../files/private';

leaveOldNode();
// Before anything is written, what is compiled too: others could put code of theirs there.
keepPrivate();
// The same from src/node and from out/main.
const appRoot = resolve(import.meta.dirname, '../..');
// The second start reads what the first one compiled. A folder that may not be written only makes it slower.
nodeModule.enableCompileCache(resolve(appRoot, 'out/cache'));
const { runCommandLine } = await import('./command-line');
await runCommandLine(appRoot);
