import { normalizePath } from './path-encoding'

export interface PathPatterns {
  /** `url` is normalized. */
  admits(url: string): boolean
}

/**
 * Compiles the include and exclude patterns of a source. A pattern matches the path, or path and query, in one
 * percent-encoding: `**` matches any characters, `*` any but a slash, `?` one that is not a slash; a pattern without
 * wildcards matches a path and everything below it. A leading star matches anywhere, a trailing `/**` also matches the
 * folder itself, and `/**` before a slash also matches nothing. Exclude wins; without `include`, everything else is in.
 */
export function createPathPatterns({ include = [], exclude = [] }: PatternLists): PathPatterns {
  const included = include.map(matcherOf)
  const excluded = exclude.map(matcherOf)
  if (included.length + excluded.length === 0) return { admits: () => true }
  return {
    admits(url) {
      const { pathname, search } = new URL(url)
      const path = normalizePath(pathname)
      const forms = search === '' ? [path] : [path, path + normalizePath(search)]
      const isMatch = (matches: Matcher) => forms.some(matches)
      return !excluded.some(isMatch) && (included.length === 0 || included.some(isMatch))
    },
  }
}

interface PatternLists {
  include?: string[]
  exclude?: string[]
}

type Matcher = (path: string) => boolean

function matcherOf(pattern: string): Matcher {
  const plain = normalizePath(pattern)
  if (/[*?]/.test(plain)) return globMatcher(plain)
  const folder = plain.endsWith('/') ? plain : `${plain}/`
  return (path) => path === plain || path.startsWith(folder) || path.startsWith(`${plain}?`)
}

/**
 * Compiles a glob to a bit-parallel automaton (Shift-And): one bit for each position in the pattern that the text so far
 * can have reached. Linear in the text, whatever the pattern.
 */
function globMatcher(pattern: string): Matcher {
  const tokens = tokensOf(pattern)
  const words = (tokens.length >> 5) + 1
  const bitsOf = (isSet: (token: string, index: number) => boolean) => {
    const bits = new Uint32Array(words)
    for (const [index, token] of tokens.entries()) {
      if (isSet(token, index)) setBit(bits, index)
    }
    return bits
  }
  const stars = bitsOf((token) => token === '*' || token === '**')
  /** The first slash of a `**` between slashes: after it, the other two tokens may match nothing. */
  const folders = bitsOf((token, index) => token === '/' && tokens[index + 1] === '**' && tokens[index + 2] === '/')
  const deepStars = bitsOf((token) => token === '**')
  const single = bitsOf((token) => token === '?')
  const none = new Uint32Array(words)
  const steps = new Map<string, Uint32Array>()
  for (const char of new Set(pattern)) {
    steps.set(
      char,
      bitsOf((token) => token === char || (token === '?' && char !== '/')),
    )
  }
  // Wildcards never match as literal characters.
  steps.set('*', single)
  steps.set('?', single)
  const endsBelow = tokens.length > 2 && tokens.at(-1) === '**' && tokens.at(-2) === '/'

  return (path) => {
    const text = endsBelow && !path.endsWith('/') ? `${path}/` : path
    let state = new Uint32Array(words)
    let next = new Uint32Array(words)
    setBit(state, 0)
    skipStars(state)
    for (const char of text) {
      const step = steps.get(char) ?? (char === '/' ? none : single)
      const stay = char === '/' ? deepStars : stars
      let carry = 0
      for (let word = 0; word < words; word++) {
        const reached = state[word] ?? 0
        const moved = reached & (step[word] ?? 0)
        const skipped = moved & (folders[word] ?? 0)
        next[word] = (moved << 1) | (skipped << 3) | carry | (reached & (stay[word] ?? 0))
        carry = (moved >>> 31) | (skipped >>> 29)
      }
      skipStars(next)
      const spare = state
      state = next
      next = spare
    }
    return hasBit(state, tokens.length)
  }

  /** A star may match nothing. */
  function skipStars(state: Uint32Array): void {
    let carry = 0
    for (let word = 0; word < words; word++) {
      const reached = state[word] ?? 0
      const passed = reached & (stars[word] ?? 0)
      state[word] = reached | (passed << 1) | carry
      carry = passed >>> 31
    }
  }
}

/** Characters and wildcards; adjacent stars become one `**`. */
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
