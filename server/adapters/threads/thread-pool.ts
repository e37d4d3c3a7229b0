import type { ResourceLimits, Transferable, Worker } from 'node:worker_threads'
import { AppError } from '../../errors'
import { startThread } from './thread-entry'

export interface ThreadPool<Request, Response> {
  /**
   * Sends a request to the first free thread and resolves to its response. If the thread dies, the request is sent once more
   * to another one; if that dies too, rejects with AppError 'unavailable'. Rejects at once when `signal` aborts.
   */
  run(request: Request, options?: { signal?: AbortSignal; transfer?: Transferable[] }): Promise<Response>
  /** Starts the threads that are not running. Resolves when all accept requests. */
  startAll(): Promise<void>
  /** Sends a notification to every running thread, which handles it between two requests. */
  broadcast(notification: object): void
  /** Rejects waiting requests, and ends the threads when they have finished their current ones. */
  close(): Promise<void>
}

/** Messages to a thread, and from it. A response has the id of its request. See `workers/threads/worker-protocol.ts`. */
export type ToThread<Request> = { id: number; request: Request } | { notification: object } | 'close'
export type FromThread<Response> = 'ready' | ({ id: number } & ({ response: Response } | { failure: Failure }))

/** An error in a form that can be sent between threads; the errors of some libraries cannot. */
export interface Failure {
  message: string
  stack?: string
  code?: string
}

interface Task<Request, Response> {
  request: Request
  transfer: Transferable[]
  attempts: number
  resolve(response: Response): void
  reject(error: unknown): void
}

interface Member<Request, Response> {
  worker: Worker
  task: Task<Request, Response> | null
  idle: NodeJS.Timeout | null
  /** The uncaught error of the thread, before its exit is reported. */
  error: unknown
  /** Resolves when the thread accepts requests, or has ended. */
  ready: Promise<void>
  ended: Promise<void>
}

export interface ThreadPoolOptions {
  /** File under `workers/threads/`, without extension. */
  thread: string
  data: Record<string, unknown>
  size: number
  /** Limits of the heap of each thread. */
  resourceLimits?: ResourceLimits
  /** A thread that is idle for this time ends, and is started again on demand. If omitted, threads never end. */
  idleMs?: number
  /** Called for each thread that ended unexpectedly. */
  onCrash?(error: unknown): void
}

const maxAttempts = 2
// Terminating a thread is the last resort, because native code in it may crash the process.
const closeTimeoutMs = 15_000

/** Creates a pool of threads that start on demand and handle one request at a time each, in the order of arrival. */
export function createThreadPool<Request, Response>(options: ThreadPoolOptions): ThreadPool<Request, Response> {
  const members = new Set<Member<Request, Response>>()
  let waiting: Task<Request, Response>[] = []
  let isClosed = false
  let lastId = 0

  return {
    run(request, { signal, transfer = [] } = {}) {
      return new Promise((resolve, reject) => {
        if (isClosed) return reject(stopping())
        if (signal?.aborted) return reject(signal.reason)
        const task = { request, transfer, attempts: 0, resolve: settle(resolve), reject: settle(reject) }
        const onAbort = () => {
          waiting = waiting.filter((item) => item !== task)
          task.reject(signal?.reason)
        }
        signal?.addEventListener('abort', onAbort, { once: true })
        waiting.push(task)
        assign()

        function settle<Value>(done: (value: Value) => void) {
          return (value: Value) => {
            signal?.removeEventListener('abort', onAbort)
            done(value)
          }
        }
      })
    },

    async startAll() {
      while (!isClosed && members.size < options.size) start()
      await Promise.all([...members].map(({ ready }) => ready))
    },

    broadcast(notification) {
      const message: ToThread<Request> = { notification }
      for (const { worker } of members) worker.postMessage(message)
    },

    async close() {
      isClosed = true
      for (const task of waiting.splice(0)) task.reject(stopping())
      await Promise.all([...members].map(end))
    },
  }

  function assign() {
    while (waiting.length > 0) {
      const member = [...members].find(({ task }) => task === null) ?? (members.size < options.size ? start() : null)
      const task = member && waiting.shift()
      if (!task) return
      if (member.idle) clearTimeout(member.idle)
      member.task = task
      const message: ToThread<Request> = { id: ++lastId, request: task.request }
      member.worker.postMessage(message, task.transfer)
    }
  }

  function start(): Member<Request, Response> {
    const worker = startThread(options.thread, options.data, { resourceLimits: options.resourceLimits })
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    // Its first message is 'ready'.
    const firstMessage = new Promise<void>((resolve) => worker.once('message', () => resolve()))
    const ready = Promise.race([firstMessage, ended])
    const member: Member<Request, Response> = { worker, task: null, idle: null, error: null, ready, ended }
    members.add(member)
    worker.on('message', (message: FromThread<Response>) => {
      if (message === 'ready') return
      const { task } = member
      member.task = null
      if (task)
        'response' in message
          ? task.resolve(message.response)
          : task.reject(Object.assign(new Error(message.failure.message), message.failure))
      assign()
      if (!member.task && options.idleMs && members.has(member)) {
        member.idle = setTimeout(() => void end(member), options.idleMs).unref()
      }
    })
    worker.on('error', (error) => {
      member.error = error
    })
    worker.on('exit', (code) => {
      if (member.idle) clearTimeout(member.idle)
      if (members.delete(member)) crashed(member, member.error ?? new Error(`The thread ended with code ${code}.`))
    })
    return member
  }

  function crashed({ task }: Member<Request, Response>, error: unknown) {
    if (isClosed) return task?.reject(stopping())
    options.onCrash?.(error)
    if (task && ++task.attempts < maxAttempts) waiting.unshift(task)
    else
      task?.reject(
        new AppError('unavailable', 'A part of the server stopped unexpectedly. Try again.', { cause: error }),
      )
    assign()
  }

  async function end(member: Member<Request, Response>) {
    // Removed first, so that its exit does not count as a crash.
    if (!member.task) members.delete(member)
    if (member.idle) clearTimeout(member.idle)
    const message: ToThread<Request> = 'close'
    member.worker.postMessage(message)
    const timer = setTimeout(() => void member.worker.terminate(), closeTimeoutMs)
    await member.ended
    clearTimeout(timer)
  }

  function stopping() {
    return new AppError('unavailable', 'The server is stopping.')
  }
}
