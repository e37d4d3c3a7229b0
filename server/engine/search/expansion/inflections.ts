const inflectable = /^[a-z]{4,24}$/
const minStemLength = 4
/** Noun endings of languages that write compounds as one word. */
const endings = ['n', 'en', 'e', 'er', 's', 'es']

/** Possible inflections of a folded word, without the word itself, longer ones first. */
export function inflectionsOf(word: string): string[] {
  if (!inflectable.test(word)) return []
  const stems = endings.filter((ending) => word.endsWith(ending)).map((ending) => word.slice(0, -ending.length))
  return [...endings.map((ending) => word + ending), ...stems.filter((stem) => stem.length >= minStemLength)]
}
