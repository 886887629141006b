import { z } from 'zod';

// The page's policy forbids code from text and reports whoever tries; so this has to come before the first schema.
z.config({ jitless: true });
