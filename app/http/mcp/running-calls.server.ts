/** Calls of tools by their client and the id of their request: the client cancels one with a request of its own. */
const running = new Map<string, AbortController>()

/** Does `work`; its signal aborts if `cancel` is called with the same key meanwhile, or the signal of the request aborts. */
export async function cancellable<Result>(
  key: string | null,
  request: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  if (key === null) return work(request)
  const controller = new AbortController()
  running.set(key, controller)
  try {
    return await work(AbortSignal.any([request, controller.signal]))
  } finally {
    if (running.get(key) === controller) running.delete(key)
  }
}

export function cancel(key: string): void {
  running.get(key)?.abort()
}
