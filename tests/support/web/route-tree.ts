import { fileURLToPath } from 'node:url'
import { defineRoutes } from '@remix-run/dev/dist/config/routes.js'
import remixConfig from '../../../remix.config.js'

export interface RouteNode {
  id: string
  /** Below app/routes, without its ending. */
  file: string
  parentId: string
  path: string | undefined
  index: boolean | undefined
  module: Record<string, unknown>
}

const appFolder = fileURLToPath(new URL('../../../app/', import.meta.url))

/** All routes of the product as the build has them, layouts with what is in them. */
export async function routeTree(): Promise<RouteNode[]> {
  const manifest = (await remixConfig.routes?.(defineRoutes)) ?? {}
  return Promise.all(
    Object.values(manifest).map(async ({ id, file, parentId = 'root', path, index }) => ({
      id,
      file: file.replace(/^routes\//, '').replace(/\.tsx?$/, ''),
      parentId,
      path,
      index,
      module: await import(`${appFolder}${file}`),
    })),
  )
}
