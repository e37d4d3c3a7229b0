import type { Block } from '../ports/extractor'
import { detectLanguage } from './detect-language'

/**
 * Column names that only one language uses, because rows of a price list contain few function words. English names are
 * omitted, since tables in any language have them.
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
const languageByName = indexNames()

/** The anchors that table readers give to rows. */
const rowAnchor = /(?:^|&)row=\d+$/
const maxNameLength = 60

/** Returns whether the blocks are rows of a table; only table readers write such anchors. */
export function isTable(blocks: readonly Block[]): boolean {
  return blocks.some(isRow)
}

/**
 * Detects the language of a table from its cells and each column name once; if that is undecided, from the names alone.
 * '' if it is uncertain.
 */
export function detectTableLanguage(blocks: readonly Block[]): string {
  const names = new Set<string>()
  const texts: string[] = []
  for (const block of blocks) {
    // The summary of a table is in English, whatever the language of the table.
    if ('standalone' in block && block.standalone) continue
    if (!isRow(block)) texts.push(block.text)
    else texts.push(...valuesOf(block.text, names))
  }
  return detectLanguage([...names, ...texts]) || detectByNames(names)
}

function isRow({ anchor }: Block): boolean {
  return anchor !== null && rowAnchor.test(anchor)
}

/** Returns the values of a row of 'name: value' pairs, and adds the names to `names`. */
function valuesOf(text: string, names: Set<string>): string[] {
  return text.split(/; | \| |\n/).map((part) => {
    const end = part.indexOf(': ')
    if (end < 1 || end > maxNameLength) return part
    names.add(part.slice(0, end))
    return part.slice(end + 2)
  })
}

function detectByNames(names: Iterable<string>): string {
  const found = new Set<string>()
  for (const name of names) {
    for (const word of name
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []) {
      const language = languageByName.get(word)
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
