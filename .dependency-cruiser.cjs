const { readdirSync } = require('node:fs');
const { join } = require('node:path');

/** Who may know whom. Change the tables; the rules below are made from them. */
const folders = {
  contract: [],
  bridge: ['contract'],
  markdown: ['contract'],
  search: ['contract'],
  files: ['contract'],
  core: ['contract', 'files', 'markdown', 'search', 'entities'],
  main: ['core', 'bridge', 'contract', 'files'],
  node: ['core', 'bridge', 'contract', 'files', 'markdown'],
  preload: [],
  renderer: ['contract', 'bridge', 'markdown', 'search'],
  entities: ['contract', 'files', 'markdown'],
  'vault-server': ['contract', 'files', 'markdown', 'entities'],
};

const modules = {
  foundation: [],
  network: [],
  settings: [],
  trust: [],
  vault: ['trust'],
  notes: ['vault'],
  mcp: ['network', 'trust'],
  sampling: ['mcp', 'providers'],
  providers: ['network', 'settings'],
  agents: ['vault', 'providers', 'settings', 'trust'],
  tools: ['mcp', 'settings'],
  views: ['mcp', 'tools'],
  chat: ['tools', 'providers', 'agents', 'notes', 'vault', 'settings'],
  hooks: ['chat', 'tools', 'agents', 'notes', 'vault', 'settings', 'trust'],
  hosting: ['vault'],
  projects: ['vault'],
  versions: ['notes', 'vault'],
  recovery: ['notes', 'vault', 'versions'],
  health: ['mcp', 'tools'],
  notices: ['chat', 'mcp', 'notes'],
  authority: ['chat', 'agents', 'providers', 'notes', 'notices', 'vault'],
  windows: [],
  vaults: ['chat', 'agents', 'hooks', 'mcp', 'notes', 'notices', 'settings', 'trust', 'vault'],
};

/** Folders of the core that join the modules, as what lies beside them does: they may use all of the core. */
const onTop = ['handlers'];

/** Folders inside of a module: what lies beside them, on top, may use all of them, and they nothing of it. */
const wings = {
  renderer: {
    ui: [],
    base: ['ui'],
    features: ['ui', 'base'],
    shell: ['ui', 'base', 'features'],
    gallery: ['ui', 'base', 'features', 'shell'],
  },
  'renderer/features/editor': {
    context: [],
    undo: [],
    reading: ['context'],
    drawing: ['context', 'reading'],
    insert: ['context', 'reading'],
    'tool-blocks': ['context', 'reading', 'drawing'],
    completion: ['context', 'reading', 'drawing', 'insert', 'tool-blocks'],
    preview: ['context', 'reading', 'drawing', 'tool-blocks'],
    turns: ['context', 'undo', 'reading', 'drawing', 'preview'],
  },
  'renderer/base': {
    text: [],
    schema: [],
    core: ['text'],
    window: ['core'],
    drafts: ['text', 'window'],
    layout: ['text', 'core', 'window', 'drafts'],
    keyboard: ['core', 'layout'],
    parts: ['text', 'core', 'drafts', 'layout', 'keyboard'],
  },
  'core/foundation': {
    values: [],
    async: [],
    secrets: [],
    processes: ['secrets'],
    schema: ['values', 'async', 'secrets', 'processes'],
    files: ['async', 'secrets'],
    database: ['async', 'secrets', 'files'],
  },
  'core/chat': {
    note: [],
    question: ['note'],
    'tool-blocks': ['note', 'question'],
    answer: ['note', 'question', 'tool-blocks'],
    restart: ['note', 'question', 'tool-blocks', 'answer'],
  },
  'core/notes': {
    text: [],
    journal: ['text'],
    session: ['text', 'journal'],
    disk: ['text', 'session'],
    open: ['text', 'journal', 'session', 'disk'],
    recovery: ['text', 'journal', 'session', 'disk', 'open'],
  },
  'core/tools': {
    request: [],
    history: [],
    tasks: [],
    catalog: ['request'],
    policy: ['request', 'catalog'],
    call: ['request', 'history', 'tasks', 'policy'],
  },
  'core/vault': {
    tree: [],
    watch: ['tree'],
    files: [],
  },
  'core/versions': {
    compare: [],
    store: [],
    keep: ['compare', 'store'],
    watch: ['store', 'keep'],
    list: ['compare', 'store', 'keep'],
    restore: ['compare', 'store', 'keep', 'list'],
  },
  'core/mcp': {
    config: [],
    fence: [],
    transports: ['fence'],
    sandbox: ['fence', 'transports'],
    tasks: ['fence'],
    features: ['config', 'fence'],
    client: ['config', 'fence', 'transports', 'tasks', 'features'],
    oauth: ['config', 'fence', 'transports', 'client'],
    server: ['config', 'fence', 'tasks', 'features', 'client', 'oauth'],
  },
  entities: {
    base: [],
    search: ['base'],
    store: ['base'],
    entity: ['base', 'search', 'store'],
    canvas: ['base', 'store', 'entity'],
    change: ['base', 'store', 'entity', 'canvas'],
    insight: ['base', 'store', 'entity', 'canvas', 'change'],
  },
  'entities/store': {
    records: [],
    tree: ['records'],
    batch: ['records', 'tree'],
  },
  'entities/entity': {
    model: [],
    note: ['model'],
    'handed-out': ['model', 'note'],
    index: ['model', 'note', 'handed-out'],
    references: ['model', 'note'],
  },
};

/** Features of the screen that build on others; all the rest stay apart. */
const features = {
  conversation: ['editor'],
  export: ['editor'],
  note: ['editor', 'conversation', 'export'],
};

for (const [place, table] of Object.entries({
  '.': folders,
  core: { ...modules, ...Object.fromEntries(onTop.map((name) => [name, []])) },
  ...wings,
}))
  for (const one of readdirSync(join(__dirname, 'src', place), { withFileTypes: true }))
    if (one.isDirectory() && !(one.name in table))
      throw new Error(`src/${place}/${one.name} stands in no table.`);

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const notTests = '\\.test\\.tsx?$';

module.exports = {
  forbidden: [
    ...Object.entries(folders).map(([folder, mayUse]) =>
      rule(
        `${folder}-uses-only`,
        `src/${folder} may use: ${mayUse.join(', ') || 'nothing of ours'}.`,
        { path: `^src/${folder}/`, pathNot: notTests },
        { path: '^src/', pathNot: `^src/(${[folder, ...mayUse].join('|')})/` },
      ),
    ),
    ...Object.entries(modules).map(([module, mayUse]) =>
      rule(
        `core-${module}-uses-only`,
        `core/${module} may use: ${['foundation', ...mayUse].join(', ')}. Join anything else in core/app.ts.`,
        { path: `^src/core/${module}/`, pathNot: notTests },
        {
          path: '^src/core/',
          pathNot: `^src/core/(${[module, 'foundation', ...mayUse].join('|')})/|^src/core/host\\.ts$`,
        },
      ),
    ),
    ...[...Object.keys(modules), ...onTop]
      .filter((module) => module !== 'foundation')
      .map((module) =>
        rule(
          `${module}-has-one-door`,
          `Enter core/${module} through its index.ts.`,
          { path: '^src/', pathNot: `^src/core/${module}/|${notTests}` },
          { path: `^src/core/${module}/`, pathNot: `^src/core/${module}/index\\.ts$` },
        ),
      ),
    ...Object.entries(wings).flatMap(([module, rooms]) =>
      Object.entries(rooms).map(([wing, mayUse]) =>
        rule(
          `${module.replaceAll('/', '-')}-${wing}-uses-only`,
          `${module}/${wing} may use of ${module}: ${mayUse.join(', ') || 'nothing'}.`,
          { path: `^src/${module}/${wing}/`, pathNot: notTests },
          { path: `^src/${module}/`, pathNot: `^src/${module}/(${[wing, ...mayUse].join('|')})/` },
        ),
      ),
    ),
    rule(
      'core-host-knows-no-module',
      'core/host.ts is what every module may use.',
      { path: '^src/core/host\\.ts$' },
      { path: '^src/core/', pathNot: '^src/core/foundation/index\\.ts$' },
    ),
    rule(
      'entities-have-one-door',
      'The app looks at entities through project.ts.',
      { path: '^src/', pathNot: `^src/(entities|vault-server)/|${notTests}` },
      { path: '^src/entities/', pathNot: '^src/entities/project\\.ts$' },
    ),
    rule(
      'projects-alone-open-the-project',
      'One place keeps the open project in step with the open vault.',
      { path: '^src/', pathNot: `^src/(entities|vault-server|core/projects)/|${notTests}` },
      { path: '^src/entities/' },
    ),
    rule(
      'features-stay-apart',
      'Share between features through renderer/ui or renderer/base.',
      {
        path: '^src/renderer/features/([^/]+)/',
        pathNot: `^src/renderer/features/(${Object.keys(features).join('|')})/`,
      },
      { path: '^src/renderer/features/', pathNot: '^src/renderer/features/$1/' },
    ),
    ...Object.entries(features).map(([feature, mayUse]) =>
      rule(
        `feature-${feature}-uses-only`,
        `features/${feature} may use of the features: ${mayUse.join(', ')}.`,
        { path: `^src/renderer/features/${feature}/`, pathNot: notTests },
        {
          path: '^src/renderer/features/',
          pathNot: `^src/renderer/features/(${[feature, ...mayUse].join('|')})/`,
        },
      ),
    ),
    rule(
      'ui-knows-no-app',
      'renderer/ui holds primitives without app knowledge.',
      { path: '^src/renderer/ui/' },
      { path: '^src/', pathNot: '^src/renderer/ui/' },
    ),
    rule(
      'electron-stays-in-its-shell',
      'Only src/main and src/preload may import electron; in plain Node that import starts a download.',
      { path: '^src/', pathNot: '^src/(main|preload)/' },
      { path: '^(electron|node_modules/electron)($|/)' },
    ),
    rule(
      'no-node-in-shared-code',
      'contract, bridge, markdown, search and renderer also run in a browser.',
      { path: '^src/(contract|bridge|markdown|search|renderer)/', pathNot: notTests },
      { dependencyTypes: ['core'] },
    ),
    rule('no-circles', 'A circle means that two files are really one.', {}, { circular: true }),
    rule(
      'tests-stay-outside',
      'Production code does not import tests.',
      { path: '^src/', pathNot: notTests },
      { path: '^(tests|e2e|bench)/|\\.test\\.tsx?$' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.css'] },
  },
};
