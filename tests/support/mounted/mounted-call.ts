import type { Caller } from '../api/api-world'
import type { MountedWorld } from './mounted-world'

/** A request to a route of Express, with what is different for each caller. */
export interface MountedCall {
  method: 'GET' | 'POST'
  /** As it is mounted. */
  route: string
  /** What the request has. */
  given: string
  /** Created for each request. */
  ask(world: MountedWorld): Promise<Asked>
  status: number
  location?: RegExp
  /** What some callers get instead. */
  except?: { from: readonly Caller[]; status: number }
  /** A success changes what is stored. */
  stores?: true
  /** The response names the organization, because the request has an invitation to it. */
  namesOrganization?: true
}

export interface Asked {
  /** With its query. */
  path: string
  fields?: Record<string, string>
  /** What the browser has in addition to its session. */
  cookies?: string
}

export function nameOfCall({ method, route, given }: MountedCall): string {
  return `${method} ${route} with ${given}`
}
