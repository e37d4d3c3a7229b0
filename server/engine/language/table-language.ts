import type { Block } from '../ports'
import { detectLanguage } from './detect-language'

/**
 * Names of columns that one language has for itself: few rows of a price list hold the small words by which a language is
 * told otherwise. None are English, as tables of all languages have English names.
 */
const columnNames: Record<string, string> = {
  de: `preis einzelpreis stückpreis gesamtpreis menge stückzahl anzahl bezeichnung beschreibung artikelnummer
    bestellnummer kundennummer größe höhe länge farbe währung hersteller vorname nachname straße strasse
    postleitzahl ansprechpartner unternehmen bemerkung bemerkungen anmerkung betrag uhrzeit`,
  fr: `prix quantité désignation libellé couleur poids prénom fournisseur montant remarques largeur hauteur`,
  es: `precio cantidad apellido apellidos descripción dirección fecha proveedor importe tamaño ciudad`,
  it: `prezzo quantità descrizione cognome indirizzo fornitore larghezza altezza città`,
  nl: `prijs stukprijs aantal omschrijving voornaam achternaam leverancier kleur hoeveelheid opmerkingen bedrijf`,
  pl: `ilość nazwisko imię miejscowość dostawca koszt kwota rozmiar źródło uwagi`,
  pt: `preço quantidade descrição sobrenome fornecedor tamanho endereço observações`,
}
const languageOf = indexNames()

/** What the readers of tables call the place of a row. */
const rowAnchor = /(?:^|&)row=\d+$/
const longestName = 60

/** Whether the text is one of rows of tables: of no other file do blocks have such places. */
export function isTable(blocks: readonly Block[]): boolean {
  return blocks.some(isRow)
}

/**
 * The language that a table is most likely in, as `detectLanguage` tells it of its cells, with the names of the columns once;
 * where these are too few, by the names alone. '' where it is not certain.
 */
export function detectTableLanguage(blocks: readonly Block[]): string {
  const names = new Set<string>()
  const texts: string[] = []
  for (const block of blocks) {
    // What is said of a table as a whole is in English, whatever its own language.
    if ('standalone' in block && block.standalone) continue
    if (!isRow(block)) texts.push(block.text)
    else texts.push(...cellsOf(block.text, names))
  }
  return detectLanguage([...names, ...texts]) || languageOfNames(names)
}

function isRow({ anchor }: Block): boolean {
  return anchor !== null && rowAnchor.test(anchor)
}

/** The values of a row of 'name: value'; adds the names. */
function cellsOf(text: string, names: Set<string>): string[] {
  return text.split(/; | \| |\n/).map((part) => {
    const end = part.indexOf(': ')
    if (end < 1 || end > longestName) return part
    names.add(part.slice(0, end))
    return part.slice(end + 2)
  })
}

function languageOfNames(names: Iterable<string>): string {
  const found = new Set<string>()
  for (const name of names) {
    for (const word of name
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []) {
      const language = languageOf.get(word)
      if (language !== undefined) found.add(language)
    }
  }
  const [language = '', ...others] = found
  return others.length === 0 ? language : ''
}

function indexNames(): Map<string, string> {
  const lists = Object.entries(columnNames)
  return new Map(lists.flatMap(([language, names]) => names.split(/\s+/).map((name) => [name, language] as const)))
}
