import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

// The second start reads what the first one compiled. A folder that may not be written only makes it slower.
enableCompileCache(resolve(import.meta.dirname, '../../out/cache'));
await import('./cli');
