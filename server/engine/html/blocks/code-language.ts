import { attributeOf, descendantsOf, type PageElement } from '../dom/element'

/** Ancestors searched for the name of the language; highlighters wrap a block twice. */
const maxAncestors = 3
const languageInClass =
  /(?:^|\s)(?:(?:language|lang|brush|highlight(?:-source|-text)?|sourcecode|code|syntax|prism)[-_:]\s?|sourceCode\s)([a-z][\w+#.-]{0,30})(?=[;\s]|$)/i
/** Words in the place of a language that name none. */
const notLanguages =
  /^(?:none|default|plain\w*|text|txt|notranslate|block|wrapper|container|example|box|snippet|highlight|toolbar|area|sample|inline|light|dark|theme\w*|line|lines|numbers?|line-numbers|copy|content|body|inner|view|viewer|editor|toggle\w*)$/i

/** Returns the language of a code block as the page declares it, in lower case; undefined if it declares none. */
export function codeLanguageOf(code: PageElement): string | undefined {
  const codeElement = descendantsOf(code).find(({ name }) => name === 'code')
  const own = languageOf(code) ?? (codeElement && languageOf(codeElement))
  if (own) return own
  let ancestor = code.parent
  for (let steps = 0; ancestor && steps < maxAncestors; steps++) {
    const language = languageOf(ancestor)
    if (language) return language
    ancestor = ancestor.parent
  }
  return undefined
}

function languageOf(element: PageElement): string | undefined {
  const declared = attributeOf(element, 'data-lang') || attributeOf(element, 'data-language')
  const named = declared?.trim() || languageInClass.exec(attributeOf(element, 'class') ?? '')?.[1]
  return named && named.length <= 31 && /^[a-z][\w+#.-]*$/i.test(named) && !notLanguages.test(named)
    ? named.toLowerCase()
    : undefined
}
