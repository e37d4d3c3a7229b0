/** Shorter words have too many other meanings; longer ones match by their prefix. */
const inflectable = /^[a-z]{4}$/
/** Noun endings, as in German and Dutch. */
const endings = ['n', 'en', 'e', 'er', 's', 'es']

/** Possible inflections of a folded word that is too short to have a prefix, without the word itself. */
export function inflectionsOf(word: string): string[] {
  return inflectable.test(word) ? endings.map((ending) => word + ending) : []
}
