import { expectTypeOf, it } from 'vitest'
import type { RequestContext, RouteIdentity, RouteServices, RouteSettings } from './context'

// Checked by the compiler: routes reach services, never what services are made of.

it('gives routes services, identity and settings, but not the app', () => {
  expectTypeOf<keyof RequestContext>().toEqualTypeOf<
    | 'services'
    | 'identity'
    | 'settings'
    | 'report'
    | 'noteCall'
    | 'logRefusal'
    | 'authorizeRole'
    | 'signal'
    | 'drained'
    | 'requestId'
    | 'clientIp'
    | 'allowSlowBody'
    | 'cspNonce'
  >()
  expectTypeOf<keyof RouteSettings>().toEqualTypeOf<
    'publicUrl' | 'helpUrl' | 'signUp' | 'sendsMail' | 'signInService' | 'providers' | 'widgetHashes'
  >()
})

it('gives routes no way to the database, the engine, the adapters or the log', () => {
  type Reachable =
    | keyof RouteServices
    | { [Name in keyof RouteServices]: keyof RouteServices[Name] }[keyof RouteServices]
  expectTypeOf<Extract<Reachable, 'db' | 'database' | 'engine' | 'embedder' | 'indexes' | 'log'>>().toBeNever()
  expectTypeOf<Extract<keyof RouteIdentity, 'router' | 'sweep' | 'issueToken'>>().toBeNever()
})
