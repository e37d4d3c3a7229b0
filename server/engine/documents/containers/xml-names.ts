/** Names of elements as they are told, whatever a file calls them. */
export interface XmlNames {
  /** Before the name of an element is asked for, with its attributes. */
  declare(attributes: Record<string, string>, depth: number): void
  /** Behind the end of the element at this depth. */
  forget(depth: number): void
  told(name: string): string
}

/** By the end of the namespace: the strict form of Office files and the transitional one differ in what stands before. */
const usualPrefixes: [RegExp, string][] = [
  [/\/wordprocessingml(\/2006)?\/main$/, 'w:'],
  [/\/markup-compatibility\/2006$/, 'mc:'],
  [/\/officeDocument(\/2006)?\/math$/, 'm:'],
  [/^http:\/\/purl\.org\/dc\/elements\/1\.1\/$/, 'dc:'],
  [/^http:\/\/purl\.org\/dc\/terms\/$/, 'dcterms:'],
  [/\/package\/2006\//, ''],
]

/** With the prefixes that are usual for their namespaces; what is declared on an element holds until its end. */
export function createUsualNames(): XmlNames {
  const scopes: { depth: number; prefixes: Map<string, string> }[] = [{ depth: 0, prefixes: new Map() }]
  let known = new Map<string, string>()

  return {
    declare(attributes, depth) {
      let prefixes: Map<string, string> | null = null
      for (const key in attributes) {
        if (!key.startsWith('xmlns')) continue
        const written = key === 'xmlns' ? '' : `${key.slice(6)}:`
        const namespace = attributes[key] ?? ''
        const usual = usualPrefixes.find(([pattern]) => pattern.test(namespace))?.[1] ?? `other-${written}`
        if ((prefixes ?? scopes.at(-1)?.prefixes)?.get(written) === usual) continue
        prefixes ??= new Map(scopes.at(-1)?.prefixes)
        prefixes.set(written, usual)
      }
      if (prefixes === null) return
      scopes.push({ depth, prefixes })
      known = new Map()
    },

    forget(depth) {
      if (scopes.at(-1)?.depth !== depth || depth === 0) return
      scopes.pop()
      known = new Map()
    },

    told(name) {
      const before = known.get(name)
      if (before !== undefined) return before
      const prefix = name.slice(0, name.indexOf(':') + 1)
      const usual = (scopes.at(-1)?.prefixes.get(prefix) ?? prefix) + name.slice(prefix.length)
      if (known.size < 1000) known.set(name, usual)
      return usual
    },
  }
}

/** Without their prefixes. */
export function createLocalNames(): XmlNames {
  return {
    declare() {},
    forget() {},
    told(name) {
      const colon = name.indexOf(':')
      return colon < 0 ? name : name.slice(colon + 1)
    },
  }
}
