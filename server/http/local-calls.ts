import express, { type Router } from 'express'
import { z } from 'zod'
import { chatSchema } from '../../contract/chat/thread'
import { statusOf } from '../../contract/values/error-codes'
import { system } from '../actor'
import type { App } from '../app'
import { isAppError } from '../errors'
import { commandLineVisitor, type LocalFailure } from '../local-server'
import { hasBearer } from './bearer-token'
import type { Locals } from './middleware'

const questionSchema = z.object({ organizationId: z.string(), agentId: z.string(), input: chatSchema })

const unknown: LocalFailure = { failure: { code: 'not_found', message: 'Not found.' } }

/**
 * Calls of the command line on the same data folder, which proves itself with the token of `server.json`. The command line
 * has no key of a model provider, for example, where only the server's environment has one.
 */
export function localCalls({ services, log }: App, token: string): Router {
  const router = express.Router()
  router.post('/local/ask', express.json({ limit: '64kb' }), async (request, response) => {
    const question = questionSchema.safeParse(request.body)
    if (!hasBearer(request, token) || !question.success) return void response.status(404).json(unknown)
    const { organizationId, agentId, input } = question.data
    const { signal } = response.locals as Locals
    const ref = { organizationId, agentId }
    try {
      for await (const event of services.chat.reply(system, ref, input, commandLineVisitor, signal))
        response.write(`${JSON.stringify(event)}\n`)
    } catch (error) {
      if (!isAppError(error)) log.error({ err: error }, 'A question of the command line failed.')
      const { code, message } = isAppError(error) ? error : { code: 'internal', message: 'The answer failed.' }
      if (!response.headersSent && isAppError(error)) response.status(statusOf[error.code])
      response.write(`${JSON.stringify({ failure: { code, message } } satisfies LocalFailure)}\n`)
    }
    response.end()
  })
  return router
}
