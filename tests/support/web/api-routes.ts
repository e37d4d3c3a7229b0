import * as mcp from '../../../app/routes/mcp'
import * as api from '../../../app/routes/v1+/$'
import type { RouteModules } from './web-site'

/** All of /v1 and /mcp. */
export const apiRoutes: RouteModules = { 'v1/*': api, mcp }
