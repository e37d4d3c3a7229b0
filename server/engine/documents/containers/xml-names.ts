/** Resolves the names of elements, whatever prefixes a file uses. */
export interface XmlNames {
  /** Reads the namespace declarations of an element, before its name is resolved. */
  enter(attributes: Record<string, string>, depth: number): void
  /** Ends the declarations of the element at this depth. */
  leave(depth: number): void
  resolve(name: string): string
}

/**
 * Prefixes by the end of the namespace: the strict and the transitional form of Office Open XML differ in its start.
 */
const standardPrefixes: [RegExp, string][] = [
  [/\/wordprocessingml(\/2006)?\/main$/, 'w:'],
  [/\/markup-compatibility\/2006$/, 'mc:'],
  [/\/officeDocument(\/2006)?\/math$/, 'm:'],
  [/^http:\/\/purl\.org\/dc\/elements\/1\.1\/$/, 'dc:'],
  [/^http:\/\/purl\.org\/dc\/terms\/$/, 'dcterms:'],
  [/\/package\/2006\//, ''],
]

/** Names with the standard prefixes of their namespaces. Declarations apply until the end of their element. */
export function createPrefixedNames(): XmlNames {
  const scopes: { depth: number; prefixes: Map<string, string> }[] = [{ depth: 0, prefixes: new Map() }]
  let cache = new Map<string, string>()

  return {
    enter(attributes, depth) {
      let prefixes: Map<string, string> | null = null
      for (const key in attributes) {
        if (!key.startsWith('xmlns')) continue
        const declared = key === 'xmlns' ? '' : `${key.slice(6)}:`
        const namespace = attributes[key] ?? ''
        const standard = standardPrefixes.find(([pattern]) => pattern.test(namespace))?.[1] ?? `other-${declared}`
        if ((prefixes ?? scopes.at(-1)?.prefixes)?.get(declared) === standard) continue
        prefixes ??= new Map(scopes.at(-1)?.prefixes)
        prefixes.set(declared, standard)
      }
      if (prefixes === null) return
      scopes.push({ depth, prefixes })
      cache = new Map()
    },

    leave(depth) {
      if (scopes.at(-1)?.depth !== depth || depth === 0) return
      scopes.pop()
      cache = new Map()
    },

    resolve(name) {
      const cached = cache.get(name)
      if (cached !== undefined) return cached
      const prefix = name.slice(0, name.indexOf(':') + 1)
      const standard = (scopes.at(-1)?.prefixes.get(prefix) ?? prefix) + name.slice(prefix.length)
      if (cache.size < 1000) cache.set(name, standard)
      return standard
    },
  }
}

/** Names without prefixes. */
export function createLocalNames(): XmlNames {
  return {
    enter() {},
    leave() {},
    resolve(name) {
      const colon = name.indexOf(':')
      return colon < 0 ? name : name.slice(colon + 1)
    },
  }
}
