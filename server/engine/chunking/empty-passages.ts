import { isBoxLabel } from '../html/blocks/box-labels'

/** Who owns a text, and which program made it; longer lines are about that. */
const colophon =
  /^(?:(?:©|\(c\)|copyright\b|all rights reserved\b|alle rechte vorbehalten\b|tous droits réservés\b).{0,150}|(?:(?:created|built|generated|made|powered|rendered|published) (?:using|with|by)|erstellt mit|généré par|généré avec|creado con|creato con) .{0,100})$/iu
/** The heading of a list that was left out. */
const contents =
  /^(?:table of contents|contents|on this page|in this article|inhalt|inhaltsverzeichnis|auf dieser seite|sommaire|table des matières|sur cette page|contenido|índice|tabla de contenidos|en esta página|indice|sommario|inhoud|inhoudsopgave|spis treści|obsah|conteúdo|содержание|оглавление|目次|目录)$/iu
/** The mark of a footnote without its text. */
const footnoteMark = /^[[({]?(?:\d{1,3}|[*†‡§¶↩↑^]{1,3})[\])}]?[.:]?$/u

/** Whether a passage tells a reader nothing: copyright lines; headings of boxes and of lists, and marks of footnotes, without their text. */
export function isEmptyPassage(text: string): boolean {
  return text.split('\n').every((line) => {
    const bare = line.replace(/^\s*- /, '').trim()
    return bare === '' || isBoxLabel(bare) || colophon.test(bare) || contents.test(bare) || footnoteMark.test(bare)
  })
}

/** Words of a label before a title, as in 'Title is: Borders'. */
const maxLabelWords = 2
/** Longer labels, with the punctuation around the title, are text. Saves normalizing each fragment. */
const maxLabelLength = 100

/** Whether a text only repeats the title of its document, with or without a label. */
export function repeatsTitle(text: string, title: string): boolean {
  if (text.length > title.length + maxLabelLength) return false
  const name = normalize(title)
  if (name === '') return false
  if (normalize(text) === name) return true
  const colon = text.search(/[:：]/)
  if (colon < 0 || normalize(text.slice(colon + 1)) !== name) return false
  return normalize(text.slice(0, colon)).split(' ').length <= maxLabelWords
}

function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
}
