import { countWords } from './prose'

/** Longer lines are text. */
const maxLength = 200
/** Words of a line that only shares the page. */
const maxShareWords = 12

const picture =
  'image|images|photo|photos|picture|pic|slide|bild|bilder|foto|fotos|imagen|immagine|zdj[eę]cie|afbeelding'

/** The position in a gallery: 'Image 1 of 8', 'Bild 3/10'. */
const galleryPosition = new RegExp(
  `^(?:${picture})\\s*\\d{1,4}\\s*(?:/|\\||of|von|aus|sur|de|di|van|z)\\s*\\d{1,4}$`,
  'iu',
)
/** The buttons of a gallery, an overlay or an advertisement, and its label. */
const control =
  /^(?:×|close|close (?:gallery|image|modal|window)|(?:view|open|show) (?:gallery|image|full ?screen|caption)|hide caption|enlarge(?: image)?|zoom|previous|next|schlie(?:ß|ss)en|bild (?:anzeigen|vergrößern|öffnen)|fermer|cerrar|chiudi|sluiten|zamknij|advertisements?|advertising|anzeige|werbung|reklama|publicidad|publicité|pubblicità|advertentie)$/iu
/** Who took a picture: 'Photo: A. Name', '(Foto: A. Name/Agency)'. */
const credit = new RegExp(
  `^[([]?\\s*(?:${picture}|cr[ée]dits?(?: photos?)?|abbildung|titelbild|beitragsbild|fot\\.)\\s*(?:[:©]|(?:by|credits?|via)\\b)`,
  'iu',
)
/** What the page is filed under. */
const tags =
  /^(?:tags?|tagged(?: (?:with|as|in|under))?|filed (?:under|in)|posted in|schlag(?:wort|worte|wörter)|stichw(?:ort|orte|örter)|mots[- ]clés|etiquetas|etiquetado|tagi)\s*:/iu

const shareWords = new Set(
  'share shares sharing teilen teile partager compartir compartilhar condividi udostępnij delen dela tweet tweeten pin pinnen'.split(
    ' ',
  ),
)
const networkWords = new Set(
  'facebook twitter x whatsapp linkedin xing pinterest reddit telegram tumblr pocket instagram messenger threads bluesky mastodon flipboard'.split(
    ' ',
  ),
)
/** Words that fill up a line of share buttons. */
const otherShareWords = new Set(
  'this the article story page post link on via to by with it email e-mail mail sms copy copied print auf per mit via bei diesen dieser dieses diese den artikel beitrag seite drucken kopieren senden sur par cet article imprimer en por este esta artículo correo imprimir su con questo na przez ten wydrukuj op via dit artikel'.split(
    ' ',
  ),
)

/**
 * Whether a line belongs to the furniture of an article rather than to its text: positions, buttons and credits of
 * pictures, labels of advertisements, share buttons and tags.
 */
export function isFurnitureLine(text: string): boolean {
  if (text.length > maxLength) return false
  const line = text.replace(/^- /, '').trim()
  if (galleryPosition.test(line) || control.test(line) || tags.test(line)) return true
  return (credit.test(line) && countWords(line, maxShareWords) < maxShareWords) || isShareLine(line)
}

/** Whether all words share the page, and one names a network or sharing itself: 'Share on Facebook', 'Tweet'. */
function isShareLine(line: string): boolean {
  if (/[.!?:]$/.test(line)) return false
  const words = line.toLowerCase().match(/[\p{L}-]+/gu) ?? []
  if (words.length === 0 || words.length > maxShareWords) return false
  const isCore = (word: string) => shareWords.has(word) || networkWords.has(word)
  return (
    words.some((word) => shareWords.has(word) || (networkWords.has(word) && words.length > 1)) &&
    words.every((word) => isCore(word) || otherShareWords.has(word))
  )
}
