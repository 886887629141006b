// The vault server's part of the conformance table: its scenarios over Streamable HTTP, on the sample vault.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { join } from 'node:path';
import { projectNode, root, run, tool } from './run.mjs';

const fixtures = 'calls tools, prompts or resources that only the suite’s own test server has';
const asks = 'the server never asks back: no sampling, elicitation or roots';
const tasks = 'extension; every call is answered within the request';
const skills = 'skills are not a feature of the server';
const sessions =
  'needs a session; the server has none over HTTP for clients of the older protocol, and says so';

const scenarios = (reason, names) => names.split(' ').map((name) => [name, reason]);

/** Scenarios that are about what the vault server is not, and why; anything else has to pass. */
export const notOurs = Object.fromEntries([
  ...scenarios(
    fixtures,
    'completion-complete tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource tools-call-mixed-content tools-call-error tools-call-with-progress json-schema-2020-12 resources-read-text resources-read-binary resources-templates-read prompts-get-simple prompts-get-with-args prompts-get-embedded-resource prompts-get-with-image',
  ),
  ...scenarios(
    asks,
    'tools-call-sampling tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums input-required-result-basic-elicitation input-required-result-basic-sampling input-required-result-basic-list-roots input-required-result-request-state input-required-result-multiple-input-requests input-required-result-multi-round input-required-result-non-tool-request input-required-result-result-type input-required-result-tampered-state input-required-result-capability-check',
  ),
  ...scenarios('the server has no log for its clients', 'logging-set-level tools-call-with-logging'),
  ...scenarios(sessions, 'resources-subscribe resources-unsubscribe'),
  ...scenarios('no tool takes an argument from a header', 'http-custom-header-server-validation'),
  ...scenarios(
    tasks,
    'tasks-lifecycle tasks-capability-negotiation tasks-wire-fields tasks-request-state-removal tasks-mrtr-input tasks-request-headers tasks-dispatch-and-envelope tasks-status-notifications tasks-required-task-error tasks-mrtr-composition',
  ),
  ...scenarios(skills, 'sep-2640-skills-directory sep-2640-skills-enumeration sep-2640-skills-manifest'),
]);

/** Single checks of scenarios that apply otherwise: the suite calls them not testable without its own tools. */
export const checksNotOurs = {
  'server-stateless': [
    'sep-2575-server-rejects-undeclared-capability',
    'sep-2575-missing-capability-http-400',
    'sep-2575-http-server-no-independent-requests-on-stream',
    'sep-2575-server-no-log-without-loglevel',
  ],
};

/** The suite cannot send a token: this adds it and passes everything else on as it is. */
async function withToken(target, token) {
  const front = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${token}` };
    // Its checks of hosts and origins are to reach the server, with the server's port for this one's.
    for (const name of ['host', 'origin'])
      if (headers[name]) headers[name] = headers[name].replace(`:${front.address().port}`, `:${target.port}`);
    const passed = request(target, { method: asked.method, headers, path: asked.url }, (response) => {
      answer.writeHead(response.statusCode, response.headers);
      response.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(front, 'listening');
  return {
    url: `http://127.0.0.1:${front.address().port}/mcp`,
    close() {
      front.close();
      front.closeAllConnections();
    },
  };
}

/** Serves a copy of the sample vault from the built server in `work`; each selection has a server of its own. */
export async function runAgainstVaultServer({ work, title, selection, results }) {
  const vault = join(work, `vault-${title}`);
  cpSync(join(root, 'resources/sample-vault'), vault, { recursive: true });
  const server = spawn(projectNode(), [join(work, 'vault-server.mjs'), vault, '--http', '127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, INTERLINEAR_DATA: join(work, `data-${title}`) },
  });
  try {
    const [line] = await once(server.stderr, 'data');
    const [, url, tokenFile] = /(http:\S+) .* the token in (.+)\n/.exec(String(line)) ?? [];
    if (!url) throw new Error(`The vault server did not start: ${line}`);
    const front = await withToken(new URL(url), readFileSync(tokenFile, 'utf8').trim());
    const suite = tool('@modelcontextprotocol/conformance', 'dist/index.js');
    const { output } = await run(
      projectNode(),
      [suite, 'server', '--url', front.url, ...selection, '--timeout', '60000', '-o', results],
      { capture: true },
    );
    front.close();
    return output;
  } finally {
    const gone = server.exitCode === null ? once(server, 'exit') : undefined;
    server.kill();
    await gone;
  }
}
