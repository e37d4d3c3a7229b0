import type { AppLoadContext } from '@remix-run/node'
import type { z } from 'zod'
import type { Operation, Operations, PathParameter } from '../../../contract/api/operation'
import type { Actor } from '../../../server/actor'
import type { Reauthenticate } from '../../../server/services/access/watch-access'

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined
type Field<Row, Name extends keyof Operation> = Row extends { [Key in Name]: infer Value } ? Value : undefined

/** A call of an operation, after its checks. */
export interface Call<Row extends Operation> {
  services: AppLoadContext['services']
  context: AppLoadContext
  request: Request
  /** Who calls; null where everybody may. */
  actor: Row['callers'] extends 'everybody' ? null : Actor
  /** For streams, which have to end when the caller loses access. */
  reauthenticate: Reauthenticate
  /** The parameters of the path, decoded. */
  params: Readonly<Record<PathParameter<Row['path']>, string>>
  /** Validated by the operation's schema; undefined without one. */
  query: Output<Field<Row, 'query'>>
  /** Validated by the operation's schema; undefined without one. */
  body: Output<Field<Row, 'body'>>
  /** The token of the visitor who began a thread; null without one. */
  visitorToken: string | null
}

type Result<Row extends Operation> = Row extends { response: infer Schema }
  ? Output<Schema> | Response
  : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without a response returns nothing.
    Response | void

/** Returns what the operation responds with as JSON, or a Response to be sent unchanged. */
export type Handler<Row extends Operation> = (call: Call<Row>) => Result<Row> | Promise<Result<Row>>

/** A handler for each operation of a table. */
export type Handlers<Table extends Operations> = { [Id in keyof Table]: Handler<Table[Id]> }

/** A handler whose operation is only known when the server runs. */
export type AnyHandler = (call: Call<Operation>) => unknown
