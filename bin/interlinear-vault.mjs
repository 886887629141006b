#!/usr/bin/env node
import { launch } from './launch.mjs';

await launch(import.meta.filename, 'vault-server.js');
