import { once } from 'node:events'
import type { Request, Response } from 'express'
import type { App } from '../app'
import { providerViews } from '../compose/provider-views'
import { authorizeRole } from '../policy'
import { storedIp } from '../visitor-ip'
import type { BodyDeadline } from './body-deadline'
import type { RequestContext } from './context'
import type { Locals } from './middleware'
import { callerNotes } from './request-log'
import { widgetHashes } from './widget-files'

/** The part of the app that routes may use, and what the middleware has found out about this request. */
export function createContext(app: App, widgetFolder: string, req: Request, res: Response): RequestContext {
  const { signal, requestId, cspNonce, allowSlowBody, notes } = res.locals as Locals & BodyDeadline
  const { services, identity, log } = app
  const { publicUrl, helpUrl, signUp, externalIssuer } = app.config
  const signInService = externalIssuer && new URL(externalIssuer.issuer).host
  return {
    services,
    identity,
    settings: {
      publicUrl,
      helpUrl,
      signUp,
      signInService,
      sendsMail: app.config.mail !== null,
      providers: providerViews(app.config),
      widgetHashes: () => widgetHashes(widgetFolder),
    },
    noteCall: ({ route, actor, organizationId }) => {
      if (route) notes.route = route
      if (organizationId) notes.organizationId = organizationId
      if (actor) Object.assign(notes, callerNotes(actor))
    },
    authorizeRole,
    logRefusal: (subject, reason, details = {}) => {
      const address = storedIp(req.ip ?? null, app.config.visitorIp)
      app.telemetry.refused(subject)
      log.info({ requestId, reason, ...details, address }, `${subject} was refused.`)
    },
    report: (error, event, level = 'error') => log[level]({ err: error, requestId, path: req.path }, event),
    signal,
    drained: () => drained(res, signal),
    requestId,
    clientIp: req.ip ?? '',
    allowSlowBody,
    cspNonce,
  }
}

/** Remix writes to the connection without waiting for it, so whoever sends much data waits here. */
async function drained(res: Response, signal: AbortSignal): Promise<void> {
  if (res.writableNeedDrain && !signal.aborted) await once(res, 'drain', { signal }).catch(() => {})
}
