import { parentPort, type Transferable } from 'node:worker_threads'
import type { Failure, FromThread, ToThread } from '../../server/adapters/threads/thread-pool'

/**
 * Handles the requests of a pool in a thread, one after another. If `answer` throws, the request fails and the thread
 * continues. `close` runs before the thread ends; `onNotification` receives what is broadcast to all threads.
 */
export function answerRequests<Request, Response>(
  answer: (request: Request) => Promise<{ response: Response; transfer?: Transferable[] }>,
  close: () => Promise<void> | void,
  onNotification: (notification: object) => void = () => {},
): void {
  const port = parentPort
  if (!port) throw new Error('This file runs as a worker thread.')
  let last = Promise.resolve()

  port.on('message', (message: ToThread<Request>) => {
    last = last.then(() => handle(message))
  })
  port.postMessage('ready' satisfies FromThread<Response>)

  async function handle(message: ToThread<Request>) {
    if (message === 'close') {
      await close()
      return port?.close()
    }
    if ('notification' in message) return onNotification(message.notification)
    const { id, request } = message
    try {
      const { response, transfer = [] } = await answer(request)
      send({ id, response }, transfer)
    } catch (failure) {
      send({ id, failure: asFailure(failure) })
    }
  }

  function send(message: FromThread<Response>, transfer: Transferable[] = []) {
    port?.postMessage(message, transfer)
  }
}

/** Converts an error into a form that can be sent to another thread. */
export function asFailure(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  const { message, stack } = thrown
  return 'code' in thrown ? { message, stack, code: String(thrown.code) } : { message, stack }
}
