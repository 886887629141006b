import { describe } from 'vitest';
import { findOllama } from '../../src/core/providers/ollama/find';
import { ollamaCases } from './ollama-cases';

/**
 * With an Ollama of this computer, or of Windows under WSL2. `OLLAMA_URL` names another one, `OLLAMA_MODEL` a model that calls
 * tools, and `SKIP_REAL_E2E` leaves these out.
 */
const { OLLAMA_URL, OLLAMA_HOST, OLLAMA_MODEL, SKIP_REAL_E2E, WSL_DISTRO_NAME } = process.env;
const host = OLLAMA_URL || OLLAMA_HOST;
const isSkipped = /^(1|true|yes)$/i.test(SKIP_REAL_E2E ?? '');
const environment = { OLLAMA_HOST: host, WSL_DISTRO_NAME };
const found = isSkipped ? null : await findOllama({ fetch, environment });
if (!found) {
  const why = isSkipped
    ? 'SKIP_REAL_E2E is set'
    : `no Ollama with a model answers at ${host || 'http://127.0.0.1:11434'} (OLLAMA_URL names another)`;
  process.stdout.write(`The seven cases with a real Ollama do not run: ${why}.\n`);
}

describe.runIf(found)('a real Ollama', () => {
  ollamaCases(() => ({ url: found?.baseUrl ?? '', model: OLLAMA_MODEL || (found?.model ?? '') }));
});
