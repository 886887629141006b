#!/usr/bin/env node
import './require-node.mjs';
import { launch } from './launch.mjs';

await launch(import.meta.filename, 'vault-server.js');
