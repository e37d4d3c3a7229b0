import type { Conversation } from './api'

/** Remembers the visitor's conversation in the browser, so that it survives a change of page. Pages can forbid storage. */
export function createStorage(key: string) {
  const name = `sitelore:${key.slice(-12)}`

  return {
    read(): Conversation | null {
      try {
        const { threadId, token } = JSON.parse(localStorage.getItem(name) ?? 'null') ?? {}
        return typeof threadId === 'string' && typeof token === 'string' ? { threadId, token } : null
      } catch {
        return null
      }
    },
    write({ threadId, token }: Conversation): void {
      try {
        // Both are made of letters, digits, hyphens and underscores.
        localStorage.setItem(name, `{"threadId":"${threadId}","token":"${token}"}`)
      } catch {}
    },
    clear(): void {
      try {
        localStorage.removeItem(name)
      } catch {}
    },
  }
}
