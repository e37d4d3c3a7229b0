/** What a style says that changes how its text is read; undefined where it says nothing. */
export interface SaidByStyle {
  /** 1 is the highest; null is running text. */
  level?: number | null
  role?: 'contents' | 'quote' | 'title'
  hidden?: boolean
  numId?: string
  listLevel?: number
}

/** A style with all that it takes from those that it is based on. */
export interface WordStyle extends SaidByStyle {
  id: string
}

export interface WordStyles {
  /** The style of a paragraph that names none is that of ''. */
  of(id: string): WordStyle
}

export interface StyleDefinition extends SaidByStyle {
  basedOn: string | null
}

/** Deepest that one style is based on another; Word itself allows 11. */
const deepestBase = 20

/** Styles by what each says itself; `ordinary` is that of paragraphs that name none. */
export function createStyles(definitions: Map<string, StyleDefinition>, ordinary: string): WordStyles {
  const resolved = new Map<string, WordStyle>()
  return {
    of(id) {
      const named = id === '' ? ordinary : id
      const known = resolved.get(named) ?? { id: named, ...withBases(definitions, named) }
      if (definitions.has(named)) resolved.set(named, known)
      return known
    },
  }
}

function withBases(definitions: Map<string, StyleDefinition>, id: string): SaidByStyle {
  const chain: StyleDefinition[] = []
  for (let at = definitions.get(id); at && chain.length < deepestBase; at = definitions.get(at.basedOn ?? '')) {
    chain.unshift(at)
  }
  const all: SaidByStyle = {}
  for (const { basedOn: _, ...said } of chain) Object.assign(all, said)
  return all
}

/** Of an outline level, 0 to 8; 9 is running text. Lower ones than the six of HTML are as the sixth. */
export function headingLevel(outline: string | undefined): number | null {
  return outline !== undefined && /^[0-8]$/.test(outline) ? Math.min(Number(outline) + 1, 6) : null
}
