import nodeModule from 'node:module';
import { resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';

import { leaveOldNode } from '../files/needed-node';
import { keepPrivate } from '../files/private';

leaveOldNode();
// Before anything is written, what is compiled too: others could put code of theirs there.
keepPrivate();
// Reading a vault makes V8 take 100 MB for objects that die young, and keep them; the work goes as fast without.
setFlagsFromString('--semi-space-growth-factor=1');
// An analysis of 10,000 entities leaves some MB behind, and V8 would let a hundred gather. While the vault is being read
// nothing is to be collected, and looking for it would hold up the first search.
setTimeout(() => setFlagsFromString('--heap-growing-percent=40'), 1500).unref();
// The second start reads what the first one compiled. A folder that may not be written only makes it slower.
nodeModule.enableCompileCache(resolve(import.meta.dirname, '../../out/cache'));
await import('./cli');
