// The arrows of the architecture: who may import whom. Type-only imports count, except where a rule says otherwise.

/** Everything of ours, so that a rule can say "nothing of ours but ...". */
const OURS = '^(app|cli|contract|db|server|widget|workers)/'
const TEST = '[.]test[.]tsx?$|^tests/'

/** A rule: files under `from` must not import what `to` describes. */
const forbid = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from:
    typeof from === 'string'
      ? { path: from, pathNot: TEST }
      : { ...from, pathNot: [TEST, ...[from.pathNot ?? []].flat()] },
  to,
})

const packages = (...names) => `(^|/)node_modules/(${names.join('|')})/`
const value = { dependencyTypesNot: ['type-only'] }

module.exports = {
  forbidden: [
    forbid('no-circles', 'Two files that need each other are one file, or need a third.', '', {
      circular: true,
    }),
    forbid('no-tests-in-the-product', 'The product never imports its tests.', OURS, {
      path: '^tests/|[.]test[.]tsx?$',
    }),
    // A file of types alone is no module; the compiler finds it.
    forbid('resolvable', 'Every import leads somewhere.', '', { couldNotResolve: true, pathNot: '^pdfjs-dist/types/' }),

    forbid('contract-is-shared', 'The contract knows zod and itself.', '^contract/', {
      pathNot: ['^contract/', packages('zod')],
    }),
    forbid('widget-is-alone', 'The widget has no packages and knows nothing of ours.', '^widget/', {
      pathNot: '^widget/',
    }),
    forbid('db-is-a-leaf', 'The data layer knows nothing of ours.', '^db/', { path: OURS, pathNot: '^db/' }),
    forbid('app-is-the-edge', 'The app knows the contract; the server only by its types and errors.', '^app/', {
      path: '^(db|workers|cli)/',
    }),
    forbid('app-takes-types-only', 'Services reach the app through the load context.', '^app/', {
      path: '^server/',
      pathNot: '^server/errors[.]ts$',
      ...value,
    }),
    forbid('app-knows-services', 'Routes know services, the request context, actors and errors.', '^app/', {
      path: '^server/',
      pathNot: ['^server/services/', '^server/http/context[.]ts$', '^server/(actor|errors)[.]ts$'],
    }),
    forbid(
      'app-is-not-imported',
      'Nobody imports the app; its build is loaded when it is served.',
      '^(cli|contract|db|server|workers)/',
      {
        path: '^app/',
      },
    ),
    forbid('engine-is-pure', 'The engine computes: itself, the contract and errors.', '^server/engine/', {
      path: OURS,
      pathNot: ['^server/engine/', '^server/errors[.]ts$', '^contract/'],
    }),
    forbid(
      'services-decide',
      'Services know contract, policy, actor, errors, sealing, network, tokens, engine and db.',
      '^server/services/',
      {
        path: OURS,
        pathNot: [
          '^server/(services|engine)/',
          '^server/(policy|actor|errors|sealing|network|visitor-ip|tokens)[.]ts$',
          '^contract/',
          '^db/',
        ],
      },
    ),
    forbid('adapters-implement-ports', 'Adapters know ports, limits, errors, contract and db.', '^server/adapters/', {
      path: OURS,
      pathNot: ['^server/adapters/', '^server/engine/', '^server/errors[.]ts$', '^contract/', '^db/'],
    }),
    forbid(
      'one-composition-root',
      'Only server/app.ts, server/index.ts, the worker threads and child processes know the adapters.',
      {
        path: '^(app|cli|workers|server)/',
        pathNot: [
          '^server/(app|index)[.]ts$',
          '^server/compose/',
          '^server/adapters/',
          '^workers/(threads|processes)/',
        ],
      },
      { path: '^server/adapters/', ...value },
    ),
    forbid(
      'root-is-for-starters',
      'createApp is called by the process, the command line and the workers.',
      { path: '^server/', pathNot: '^server/index[.]ts$' },
      {
        path: '^server/(app|index)[.]ts$',
        ...value,
      },
    ),
    forbid(
      'jobs-call-services',
      'Jobs and commands reach tables through services; the runner alone claims rows.',
      { path: '^(workers|cli)/', pathNot: '^workers/runner[.]ts$' },
      { path: '^db/', pathNot: '^db/sqlite-driver[.]ts$', ...value },
    ),
    forbid(
      'sdks-live-in-adapters',
      'A provider or runtime is one adapter away from the rest.',
      { path: OURS, pathNot: ['^server/adapters/', '^workers/threads/'] },
      {
        path: packages(
          'openai',
          '@anthropic-ai/sdk',
          '@google/genai',
          'undici',
          '@huggingface',
          'rate-limiter-flexible',
          'nodemailer',
        ),
        ...value,
      },
    ),
    forbid(
      'mcp-lives-in-its-room',
      'The protocol of MCP is translated in one place.',
      { path: OURS, pathNot: ['^app/http/mcp/'] },
      { path: packages('@modelcontextprotocol/sdk'), ...value },
    ),
    forbid(
      'drivers-live-in-db',
      'SQL drivers are opened by the data layer.',
      { path: OURS, pathNot: ['^db/', '^server/adapters/', '^workers/threads/'] },
      { path: packages('better-sqlite3', 'better-sqlite3-node20', 'pg', 'sqlite-vec'), ...value },
    ),
    forbid(
      'remix-stays-in-app',
      'React and Remix end at the edge.',
      { path: OURS, pathNot: ['^app/', '^server/(http|index)'] },
      { path: packages('@remix-run', 'react', 'react-dom', 'radix-ui', '@conform-to'), ...value },
    ),
    forbid(
      'no-development-dependencies',
      'What the product runs on stands under dependencies.',
      { path: '^(cli|contract|db|server|workers)/', pathNot: '^workers/start[.]mjs$' },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: packages('vite', '@types/[^/]+', '@remix-run/dev'),
      },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(build|data|node_modules/[.]cache)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
