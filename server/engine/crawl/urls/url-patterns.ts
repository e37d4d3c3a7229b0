import { plainPath } from './path-encoding'

export interface PathPatterns {
  /** `address` is a normalized one. */
  admits(address: string): boolean
}

/**
 * Which addresses of a source are wanted. Patterns are compared with the path, and with path and query, in one
 * percent-encoding: `**` stands for any characters, `*` for any but a slash, `?` for one but a slash; a pattern without
 * them is a path with everything below it. A star in front starts anywhere, `/**` at the end takes the folder itself
 * too, and `/**` before a slash also stands for nothing. What is excluded stays out; without `include` all else is in.
 */
export function createPatterns({ include = [], exclude = [] }: PatternLists): PathPatterns {
  const wanted = include.map(matcherOf)
  const unwanted = exclude.map(matcherOf)
  if (wanted.length + unwanted.length === 0) return { admits: () => true }
  return {
    admits(address) {
      const url = new URL(address)
      const path = plainPath(url.pathname)
      const forms = url.search === '' ? [path] : [path, path + plainPath(url.search)]
      const isIn = (matches: Matcher) => forms.some(matches)
      return !unwanted.some(isIn) && (wanted.length === 0 || wanted.some(isIn))
    },
  }
}

interface PatternLists {
  include?: string[]
  exclude?: string[]
}

type Matcher = (path: string) => boolean

function matcherOf(pattern: string): Matcher {
  const plain = plainPath(pattern)
  if (/[*?]/.test(plain)) return globMatcher(plain)
  const folder = plain.endsWith('/') ? plain : `${plain}/`
  return (path) => path === plain || path.startsWith(folder) || path.startsWith(`${plain}?`)
}

/**
 * A glob as the set of its places that the text read so far can have reached, one bit a place: every character costs the
 * same few operations, whatever the pattern.
 */
function globMatcher(pattern: string): Matcher {
  const tokens = tokensOf(pattern)
  const words = (tokens.length >> 5) + 1
  const bitsOf = (isIn: (token: string, index: number) => boolean) => {
    const bits = new Uint32Array(words)
    for (const [index, token] of tokens.entries()) {
      if (isIn(token, index)) setBit(bits, index)
    }
    return bits
  }
  const stars = bitsOf((token) => token === '*' || token === '**')
  /** The first slash of a double star between two slashes: once it is read, the rest of the three may be nothing. */
  const folders = bitsOf((token, index) => token === '/' && tokens[index + 1] === '**' && tokens[index + 2] === '/')
  const deepStars = bitsOf((token) => token === '**')
  const single = bitsOf((token) => token === '?')
  const none = new Uint32Array(words)
  const steps = new Map<string, Uint32Array>()
  for (const sign of new Set(pattern)) {
    steps.set(
      sign,
      bitsOf((token) => token === sign || (token === '?' && sign !== '/')),
    )
  }
  // A star is a token of its own, never the character.
  steps.set('*', single)
  steps.set('?', single)
  const endsBelow = tokens.length > 2 && tokens.at(-1) === '**' && tokens.at(-2) === '/'

  return (path) => {
    const text = endsBelow && !path.endsWith('/') ? `${path}/` : path
    let state = new Uint32Array(words)
    let next = new Uint32Array(words)
    setBit(state, 0)
    passStars(state)
    for (const sign of text) {
      const step = steps.get(sign) ?? (sign === '/' ? none : single)
      const stay = sign === '/' ? deepStars : stars
      let carry = 0
      for (let word = 0; word < words; word++) {
        const reached = state[word] ?? 0
        const moved = reached & (step[word] ?? 0)
        const skipped = moved & (folders[word] ?? 0)
        next[word] = (moved << 1) | (skipped << 3) | carry | (reached & (stay[word] ?? 0))
        carry = (moved >>> 31) | (skipped >>> 29)
      }
      passStars(next)
      const spare = state
      state = next
      next = spare
    }
    return hasBit(state, tokens.length)
  }

  /** A star may stand for nothing. */
  function passStars(state: Uint32Array): void {
    let carry = 0
    for (let word = 0; word < words; word++) {
      const reached = state[word] ?? 0
      const passed = reached & (stars[word] ?? 0)
      state[word] = reached | (passed << 1) | carry
      carry = passed >>> 31
    }
  }
}

/** Characters and wildcards, two of which never stand side by side. */
function tokensOf(pattern: string): string[] {
  const runs = pattern.match(/\*+|[^*]/gu) ?? []
  return runs.map((run, index) => (run.startsWith('*') && (run.length > 1 || index === 0) ? '**' : run))
}

function setBit(bits: Uint32Array, index: number): void {
  bits[index >> 5] = (bits[index >> 5] ?? 0) | (1 << (index & 31))
}

function hasBit(bits: Uint32Array, index: number): boolean {
  return ((bits[index >> 5] ?? 0) & (1 << (index & 31))) !== 0
}
