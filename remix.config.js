import { flatRoutes } from 'remix-flat-routes'

/**
 * The options of Remix, as a plain object: its Vite plugin does not read this file by itself, vite.config.ts hands it over.
 * Routes are the hybrid folders of remix-flat-routes: `dashboard+/agent+/$agentId.tsx` is /dashboard/agent/:agentId.
 * @type {import('@remix-run/dev').VitePluginConfig}
 */
export default {
  appDirectory: 'app',
  buildDirectory: 'build',
  serverModuleFormat: 'esm',
  ignoredRouteFiles: ['**/*'],
  routes: (defineRoutes) => flatRoutes('routes', defineRoutes, { ignoredRouteFiles: ['**/*.test.{ts,tsx}', '**/.*'] }),
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: true,
    // Scans every route for dependencies at start. Without it the first visit to a route in development may load a
    // second copy of React in the middle of a page ("Invalid hook call").
    unstable_optimizeDeps: true,
  },
}
