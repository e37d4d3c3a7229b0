import type { App } from '../app'

/** What every loader and action gets. */
export interface RequestContext {
  app: App
  /** Aborts when the connection closes before the answer is whole. */
  signal: AbortSignal
  /** Resolves when what was written is on its way to the client, or the connection is closed. */
  drained(): Promise<void>
  requestId: string
  clientIp: string
  /** Gives the body of this request more than 30 seconds to arrive. */
  allowSlowBody(): void
  /** Of this response's Content-Security-Policy. */
  cspNonce: string
}

declare module '@remix-run/server-runtime' {
  interface AppLoadContext extends RequestContext {}
}
