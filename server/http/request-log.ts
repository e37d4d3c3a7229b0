import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import type { Actor } from '../actor'
import { storedIp, type VisitorIp } from '../visitor-ip'

/** What is known of a request only after its route has read it. */
export interface RequestNotes {
  /** The path with the names of its parameters, such as /v1/{orgId}/collections. */
  route?: string
  organizationId?: string
  /** Who asks, as an id: of a person, of an access token, or of the agent whose key it is. */
  person?: string
  token?: string
  key?: string
}

interface Options {
  log: Pick<Logger, 'info' | 'error'>
  visitorIp: VisitorIp
  /** Whether requests that succeed, or fail for a reason of the client's, have a line. */
  isOn: boolean
  /** Called at the end of each request. */
  onEnd(call: { method: string; route: string; status: number; durationMs: number }): void
}

/** Health checks, and files of the build, which every page loads many of. */
const silent = /^\/(healthz|readyz|assets\/|widget\.js|widget\/)|\.(ico|png|svg|webmanifest|txt)$/

/** Logs and measures each request when its response ends, or its connection closes. */
export function requestLog({ log, visitorIp, isOn, onEnd }: Options): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now()
    const path = req.originalUrl.replace(/[?#].*$/s, '')
    const notes: RequestNotes = {}
    res.locals.notes = notes
    res.on('close', () => {
      const { statusCode: status } = res
      const durationMs = performance.now() - startedAt
      const { route = withoutIds(path), ...known } = notes
      onEnd({ method: req.method, route, status, durationMs })
      const hasFailed = status >= 500
      if (!hasFailed && (!isOn || silent.test(path))) return
      const line = {
        requestId: res.locals.requestId as string,
        method: req.method,
        route,
        status,
        ms: Math.round(durationMs),
        ...known,
        address: storedIp(req.ip ?? null, visitorIp),
        ...(res.writableFinished ? {} : { closed: true }),
      }
      log[hasFailed ? 'error' : 'info'](line, 'request')
    })
    next()
  }
}

/** Who asks, as the log names them. */
export function callerNotes(actor: Actor): RequestNotes {
  if (actor.kind === 'key' || actor.kind === 'visitor')
    return { organizationId: actor.organizationId, key: `${actor.keyType} key of ${actor.agentId}` }
  if (actor.kind !== 'person') return {}
  return { person: actor.userId, ...(actor.tokenId ? { token: actor.tokenId } : {}) }
}

/** Ids and tokens of links have digits, or are long. A token in the log would open its link. */
function withoutIds(path: string): string {
  return path
    .slice(0, 300)
    .split('/')
    .map((part) => (part.length > 40 || (part.length >= 16 && /\d/.test(part)) ? ':id' : part))
    .join('/')
}
