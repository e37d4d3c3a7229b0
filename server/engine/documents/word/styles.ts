/** Properties of a style that affect reading; undefined if not set. */
export interface StyleProperties {
  /** 1 is the highest; null means body text. */
  level?: number | null
  role?: 'contents' | 'quote' | 'title'
  hidden?: boolean
  numId?: string
  listLevel?: number
}

/** A style with the properties inherited from its base styles. */
export interface WordStyle extends StyleProperties {
  id: string
}

export interface WordStyles {
  /** Returns a style by id; '' is the default style. */
  of(id: string): WordStyle
}

export interface StyleDefinition extends StyleProperties {
  basedOn: string | null
}

/** Depth to which base styles are followed; Word allows 11. */
const maxBaseDepth = 20

/** Resolves styles; `defaultId` is the style of paragraphs without one. */
export function createStyles(definitions: Map<string, StyleDefinition>, defaultId: string): WordStyles {
  const resolved = new Map<string, WordStyle>()
  return {
    of(id) {
      const styleId = id === '' ? defaultId : id
      const style = resolved.get(styleId) ?? { id: styleId, ...inherit(definitions, styleId) }
      if (definitions.has(styleId)) resolved.set(styleId, style)
      return style
    },
  }
}

function inherit(definitions: Map<string, StyleDefinition>, id: string): StyleProperties {
  const chain: StyleDefinition[] = []
  for (
    let node = definitions.get(id);
    node && chain.length < maxBaseDepth;
    node = definitions.get(node.basedOn ?? '')
  ) {
    chain.unshift(node)
  }
  const all: StyleProperties = {}
  for (const { basedOn: _, ...ownProperties } of chain) Object.assign(all, ownProperties)
  return all
}

/** Converts an outline level, 0 to 8, to a heading level of at most 6; null for 9, which is body text. */
export function headingLevel(outline: string | undefined): number | null {
  return outline !== undefined && /^[0-8]$/.test(outline) ? Math.min(Number(outline) + 1, 6) : null
}
