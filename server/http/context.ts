import type { Provider } from '../../contract/values/enumerations'
import type { ProviderView } from '../../contract/views/chat/agent'
import type { Actor } from '../actor'
import type { Services } from '../compose/services'
import type { Identity } from '../identity/identity'
import type { authorizeRole } from '../policy'

/** What every loader and action gets. Routes have no database, engine, adapter, configuration or logger. */
export interface RequestContext {
  services: RouteServices
  identity: RouteIdentity
  settings: RouteSettings
  /** Logs an error with the id and the path of the request, by default at the level `error`. */
  report(error: unknown, event: string, level?: ReportLevel): void
  /** Adds to the line of the request in the log: which call it is, and who makes it. */
  noteCall(call: { route?: string; actor?: Actor | null; organizationId?: string | null }): void
  /** Throws not_found and forbidden for a role that may not make a call, whatever its body is. */
  authorizeRole: typeof authorizeRole
  /** Logs that a key, an origin or a token was refused. `subject` begins the line, as in 'A key'. */
  logRefusal(subject: string, reason: string, details?: object): void
  /** Aborts if the connection closes before the response is complete. */
  signal: AbortSignal
  /** Resolves when the connection accepts more data, or is closed. */
  drained(): Promise<void>
  requestId: string
  clientIp: string
  /** Gives the body of this request more than 30 seconds to arrive. */
  allowSlowBody(): void
  /** The nonce of this response's Content-Security-Policy. */
  cspNonce: string
}

/** The services that routes call. Those that only jobs and commands call are not among them. */
export type RouteServices = Pick<
  Services,
  | 'accessTokens'
  | 'accounts'
  | 'addresses'
  | 'admin'
  | 'admitKey'
  | 'agents'
  | 'audit'
  | 'catalog'
  | 'chat'
  | 'collections'
  | 'connectionTests'
  | 'containingOrganization'
  | 'checkWidget'
  | 'fileSources'
  | 'files'
  | 'firstSteps'
  | 'keychains'
  | 'logos'
  | 'manual'
  | 'modelChanges'
  | 'monthlyLimits'
  | 'organizations'
  | 'organizationDeletion'
  | 'organizationDetails'
  | 'overview'
  | 'members'
  | 'invitations'
  | 'pagePreviews'
  | 'pictures'
  | 'removals'
  | 'runControl'
  | 'runningCalls'
  | 'search'
  | 'sharedThreads'
  | 'smartSearch'
  | 'siteIcons'
  | 'sources'
  | 'suggestQuestions'
  | 'threads'
  | 'notices'
  | 'threadSelections'
  | 'eraseVisitor'
  | 'visitorRates'
  | 'visitorThreads'
  | 'visitors'
> & { embedding: Pick<Services['embedding'], 'state' | 'stateOf'> }

export type RouteIdentity = Pick<
  Identity,
  | 'actorFromBearer'
  | 'actorFromCookie'
  | 'recheckBearer'
  | 'account'
  | 'secondFactor'
  | 'callback'
  | 'login'
  | 'logout'
  | 'selectOrganization'
  | 'takeLoginFailure'
>

export interface RouteSettings {
  publicUrl: string
  helpUrl: string
  /** Who may create an account. */
  signUp: 'invited' | 'open' | 'closed'
  /** Whether a mail server is configured. */
  sendsMail: boolean
  /** Host of the external sign-in service, which keeps names and passwords; null with the embedded one. */
  signInService: string | null
  providers: Record<Provider, ProviderView>
  /** The integrity hashes of /widget.js and of its panel by file name; none before the widget is built. */
  widgetHashes(): Record<string, string>
}

export type ReportLevel = 'debug' | 'warn' | 'error'

declare module '@remix-run/server-runtime' {
  interface AppLoadContext extends RequestContext {}
}
