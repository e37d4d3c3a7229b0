import type { Transferable, Worker } from 'node:worker_threads'
import { AppError } from '../../errors'
import { startThread } from './thread-entry'

export interface ThreadPool<Request, Response> {
  /**
   * Sends one request to the first free thread and gives what it answers. A thread that dies is replaced and its request
   * sent once more; when that one dies too, rejects with AppError 'unavailable'. Rejects at once when `signal` aborts.
   */
  run(request: Request, options?: { signal?: AbortSignal; transfer?: Transferable[] }): Promise<Response>
  /** Starts those that have not been needed yet; resolves when all of them listen. */
  startAll(): Promise<void>
  /** Sends a note to every running thread, which receives it between two requests. */
  broadcast(note: object): void
  /** Lets the threads finish what they do and ends them; what still waits is rejected. */
  close(): Promise<void>
}

/** What goes to a thread; it answers with the same id. See `workers/threads/worker-protocol.ts`. */
export type ToThread<Request> = { id: number; request: Request } | { note: object } | 'close'
export type FromThread<Response> = 'ready' | ({ id: number } & ({ response: Response } | { failure: Failure }))

/** An error as it crosses between threads: not every library's errors survive the copy. */
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
  /** What the thread threw, until its end is reported. */
  error: unknown
  /** Listens, or has ended. */
  ready: Promise<void>
  ended: Promise<void>
}

export interface ThreadPoolOptions {
  /** File under `workers/threads/`, without its ending. */
  thread: string
  data: Record<string, unknown>
  size: number
  /** A thread without work for so long is ended, and started again when there is work. Never, when left out. */
  idleMs?: number
  /** Told of every thread that died. */
  onCrash?(error: unknown): void
}

const attempts = 2
// To end a thread from outside is the last resort: native code in it may take the process down.
const endWithinMs = 15_000

/** Threads that answer one request at a time each, first come, first served. They start when they are needed. */
export function createThreadPool<Request, Response>(options: ThreadPoolOptions): ThreadPool<Request, Response> {
  const members = new Set<Member<Request, Response>>()
  let waiting: Task<Request, Response>[] = []
  let closed = false
  let lastId = 0

  return {
    run(request, { signal, transfer = [] } = {}) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(gone())
        if (signal?.aborted) return reject(signal.reason)
        const task = { request, transfer, attempts: 0, resolve: settle(resolve), reject: settle(reject) }
        const onAbort = () => {
          waiting = waiting.filter((other) => other !== task)
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
      while (!closed && members.size < options.size) start()
      await Promise.all([...members].map(({ ready }) => ready))
    },

    broadcast(note) {
      const message: ToThread<Request> = { note }
      for (const { worker } of members) worker.postMessage(message)
    },

    async close() {
      closed = true
      for (const task of waiting.splice(0)) task.reject(gone())
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
    const worker = startThread(options.thread, options.data)
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    // The first that it says.
    const listens = new Promise<void>((resolve) => worker.once('message', () => resolve()))
    const ready = Promise.race([listens, ended])
    const member: Member<Request, Response> = { worker, task: null, idle: null, error: null, ready, ended }
    members.add(member)
    worker.on('message', (answer: FromThread<Response>) => {
      if (answer === 'ready') return
      const { task } = member
      member.task = null
      if (task)
        'response' in answer
          ? task.resolve(answer.response)
          : task.reject(Object.assign(new Error(answer.failure.message), answer.failure))
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
    if (closed) return task?.reject(gone())
    options.onCrash?.(error)
    if (task && ++task.attempts < attempts) waiting.unshift(task)
    else
      task?.reject(
        new AppError('unavailable', 'A part of the server stopped unexpectedly. Try again.', { cause: error }),
      )
    assign()
  }

  async function end(member: Member<Request, Response>) {
    // No longer a member when it exits, so that its end is not taken for a crash.
    if (!member.task) members.delete(member)
    if (member.idle) clearTimeout(member.idle)
    const message: ToThread<Request> = 'close'
    member.worker.postMessage(message)
    const late = setTimeout(() => void member.worker.terminate(), endWithinMs)
    await member.ended
    clearTimeout(late)
  }

  function gone() {
    return new AppError('unavailable', 'The server is stopping.')
  }
}
