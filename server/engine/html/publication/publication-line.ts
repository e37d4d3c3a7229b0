import type { PageFacts } from '../../ports/extractor'

interface Words {
  author: string
  published: string
  updated: string
}

/** The words of a line on the publication, in the languages of the widget and of the texts of agents. */
const english: Words = { author: 'Written by', published: 'Published on', updated: 'Updated on' }
const words: Partial<Record<string, Words>> = {
  en: english,
  de: { author: 'Geschrieben von', published: 'Veröffentlicht am', updated: 'Aktualisiert am' },
  es: { author: 'Escrito por', published: 'Publicado el', updated: 'Actualizado el' },
  fr: { author: 'Écrit par', published: 'Publié le', updated: 'Mis à jour le' },
  it: { author: 'Scritto da', published: 'Pubblicato il', updated: 'Aggiornato il' },
  nl: { author: 'Geschreven door', published: 'Gepubliceerd op', updated: 'Bijgewerkt op' },
  pl: { author: 'Autor:', published: 'Opublikowano', updated: 'Zaktualizowano' },
  pt: { author: 'Escrito por', published: 'Publicado em', updated: 'Atualizado em' },
  ru: { author: 'Автор:', published: 'Опубликовано', updated: 'Обновлено' },
}

/**
 * Returns a line that says who wrote a page and when, in the language of the page where its words are known, else in English;
 * '' for a page that says neither. The day of the change is left out if it is that of the publication.
 */
export function publicationLine({
  author,
  publishedAt,
  modifiedAt,
  language,
}: Pick<PageFacts, 'author' | 'publishedAt' | 'modifiedAt' | 'language'>): string {
  const primary = language.split('-', 1)[0] ?? ''
  const spoken = words[primary]
  const { author: by, published, updated } = spoken ?? english
  const dates = longDates(language)
  const publishedOn = publishedAt === null ? '' : dates.format(publishedAt)
  const updatedOn = modifiedAt === null ? '' : dates.format(modifiedAt)
  return [
    author === '' ? '' : `${by} ${author}.`,
    publishedOn === '' ? '' : `${published} ${sentence(publishedOn)}`,
    updatedOn === '' || updatedOn === publishedOn ? '' : `${updated} ${sentence(updatedOn)}`,
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** Formats days in the language of a page where its words are known, else in English. */
export function longDates(language: string): Intl.DateTimeFormat {
  const primary = language.split('-', 1)[0] ?? ''
  return new Intl.DateTimeFormat(words[primary] ? primary : 'en', { dateStyle: 'long', timeZone: 'UTC' })
}

/** Some languages end a date with a full stop. */
function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}
