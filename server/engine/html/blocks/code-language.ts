import { attributeOf, elementsIn, type PageElement } from '../dom/element'

/** How far above a block of code its language is named: highlighters wrap it twice. */
const wrappers = 3
const inName =
  /(?:^|\s)(?:(?:language|lang|brush|highlight(?:-source|-text)?|sourcecode|code|syntax|prism)[-_:]\s?|sourceCode\s)([a-z][\w+#.-]{0,30})(?=[;\s]|$)/i
/** No languages, but words that stand in their place. */
const none =
  /^(?:none|default|plain\w*|text|txt|notranslate|block|wrapper|container|example|box|snippet|highlight|toolbar|area|sample|inline|light|dark|theme\w*|line|lines|numbers?|line-numbers|copy|content|body|inner|view|viewer|editor|toggle\w*)$/i

/** The language of a block of code as the page names it, in lower case; undefined where it does not. */
export function codeLanguageOf(code: PageElement): string | undefined {
  const inner = elementsIn(code).find(({ name }) => name === 'code')
  const own = languageOf(code) ?? (inner && languageOf(inner))
  if (own) return own
  let above = code.parent
  for (let steps = 0; above && steps < wrappers; steps++) {
    const language = languageOf(above)
    if (language) return language
    above = above.parent
  }
  return undefined
}

function languageOf(element: PageElement): string | undefined {
  const said = attributeOf(element, 'data-lang') || attributeOf(element, 'data-language')
  const named = said?.trim() || inName.exec(attributeOf(element, 'class') ?? '')?.[1]
  return named && named.length <= 31 && /^[a-z][\w+#.-]*$/i.test(named) && !none.test(named)
    ? named.toLowerCase()
    : undefined
}
