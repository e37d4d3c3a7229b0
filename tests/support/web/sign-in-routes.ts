import type { LoaderFunctionArgs } from '@remix-run/node'
import { person } from '../../../app/http/session/page.server'
import * as callback from '../../../app/routes/_public+/auth.callback'
import * as login from '../../../app/routes/_public+/login'
import * as logout from '../../../app/routes/_public+/logout'
import { apiRoutes } from './api-routes'
import type { RouteModules } from './web-site'

/** Stands for every page of a signed-in person: says who is there. */
const dashboard = {
  loader: async ({ context, request }: LoaderFunctionArgs) => Response.json(await person(context, request)),
  action: async ({ context, request }: LoaderFunctionArgs) => Response.json(await person(context, request)),
}

/** The routes that signing in takes. */
export const signInRoutes: RouteModules = {
  login,
  logout,
  'auth/callback': callback,
  dashboard,
  'onboarding/organization': dashboard,
  ...apiRoutes,
}
