import { type NodeWorker, type Profiler, Session } from 'node:inspector'
import { basename } from 'node:path'

export interface ThreadProfile {
  thread: string
  /** Share of the profiled time that was spent working. */
  busySeconds: number
  /** The functions with the most self time. */
  top: { name: string; seconds: number; share: number }[]
}

const shown = 10

/** Profiles all threads of the process until the returned function is called. Slows them down. */
export function startProfile(): () => Promise<ThreadProfile[]> {
  const session = new Session()
  const threads = new Map<string, string>()
  const waiting = new Map<string, (result: unknown) => void>()
  let ids = 0

  /** A thread that has ended never answers. */
  function ask(sessionId: string, method: string): Promise<unknown> {
    const id = ++ids
    const message = JSON.stringify({ id, method })
    return new Promise((resolve) => {
      waiting.set(`${sessionId} ${id}`, resolve)
      session.post('NodeWorker.sendMessageToWorker', { sessionId, message })
    })
  }

  session.connect()
  session.on('NodeWorker.attachedToWorker', ({ params }: { params: NodeWorker.AttachedToWorkerEventDataType }) => {
    threads.set(params.sessionId, params.workerInfo.title)
    void ask(params.sessionId, 'Profiler.enable')
    void ask(params.sessionId, 'Profiler.start')
  })
  session.on('NodeWorker.detachedFromWorker', ({ params }: { params: NodeWorker.DetachedFromWorkerEventDataType }) => {
    threads.delete(params.sessionId)
  })
  session.on(
    'NodeWorker.receivedMessageFromWorker',
    ({ params }: { params: NodeWorker.ReceivedMessageFromWorkerEventDataType }) => {
      const { id, result } = JSON.parse(params.message)
      waiting.get(`${params.sessionId} ${id}`)?.(result)
    },
  )
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  session.post('Profiler.enable')
  session.post('Profiler.start')

  return async () => {
    const main = await new Promise<Profiler.Profile>((resolve, reject) => {
      session.post('Profiler.stop', (error, result) => (error ? reject(error) : resolve(result.profile)))
    })
    const profiles = [summary('main', main)]
    for (const [sessionId, title] of threads) {
      const { profile } = (await ask(sessionId, 'Profiler.stop')) as { profile: Profiler.Profile }
      profiles.push(summary(title, profile))
    }
    session.disconnect()
    return profiles
  }
}

function summary(thread: string, { nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ThreadProfile {
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((id) => [id, node])))
  const names = new Map(nodes.map((node) => [node.id, nameOf(node, callers)]))
  const own = new Map<string, number>()
  for (const [index, node] of samples.entries()) {
    const name = names.get(node) ?? ''
    own.set(name, (own.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1e6)
  }
  own.delete('(idle)')
  const busySeconds = [...own.values()].reduce((sum, seconds) => sum + seconds, 0)
  const top = [...own]
    .sort(([, number], [, otherNumber]) => otherNumber - number)
    .slice(0, shown)
    .map(([name, seconds]) => ({ name, seconds, share: seconds / busySeconds }))
  return { thread, busySeconds, top }
}

type ProfileNode = Profiler.Profile['nodes'][number]

/** For a built-in function, its callers instead of its location. */
function nameOf(node: ProfileNode, callers: Map<number, ProfileNode>): string {
  const { functionName, url, lineNumber } = node.callFrame
  if (functionName.startsWith('(') && url === '') return functionName
  const name = functionName || '(anonymous)'
  if (url !== '') return `${name} ${basename(url)}:${lineNumber + 1}`
  const names = [name]
  for (let caller = callers.get(node.id); caller && names.length < 4; caller = callers.get(caller.id)) {
    const { functionName: next } = caller.callFrame
    if (next !== '' && next !== names.at(-1) && !next.startsWith('(')) names.push(next)
  }
  return names.join(' < ')
}
