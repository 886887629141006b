import { config } from 'zod';

// A page's policy forbids code from text and reports whoever tries; so this has to run before the first schema is made.
if ('document' in globalThis) config({ jitless: true });
