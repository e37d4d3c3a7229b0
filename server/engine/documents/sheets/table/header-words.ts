/**
 * Words that name columns of any table, by language. Names from one trade only, and words that are often values, are
 * not included.
 */
const lists: Record<string, string> = {
  en: `name names surname firstname lastname title description id identifier code number no key value date day month
    year time start end begin type kind category class group status state country city town region county address street
    zip postcode phone telephone mobile fax email mail website url link contact person company organization department
    role position author owner customer supplier product item article quantity amount price cost total currency unit size
    length width height weight color colour language source note notes comment comments remark remarks question answer
    topic subject text content label term definition meaning location place room subtitle summary reference version
    gender age field column`,
  de: `vorname nachname familienname bezeichnung beschreibung titel nummer nr schlüssel wert datum tag monat jahr zeit
    uhrzeit beginn ende art typ kategorie klasse gruppe stand land stadt ort region kreis adresse anschrift straße
    strasse plz postleitzahl telefon handy webseite ansprechpartner firma unternehmen abteilung funktion autor kunde
    lieferant produkt artikel menge anzahl betrag preis kosten summe währung einheit größe länge breite höhe gewicht farbe
    sprache quelle bemerkung bemerkungen anmerkung hinweis frage antwort thema inhalt begriff bedeutung raum`,
  fr: `nom prénom titre désignation libellé numéro clé valeur jour mois année heure début fin catégorie classe groupe
    statut état pays ville région adresse rue téléphone courriel site société entreprise service fonction auteur client
    fournisseur produit quantité montant prix coût devise unité taille longueur largeur hauteur poids couleur langue
    remarque remarques commentaire question réponse sujet contenu terme définition lieu`,
  es: `nombre apellido apellidos título descripción número código clave valor fecha día mes año hora inicio fin tipo
    categoría clase grupo estado país ciudad región provincia dirección calle teléfono correo empresa departamento cargo
    autor cliente proveedor producto artículo cantidad importe precio coste moneda unidad tamaño peso color idioma fuente
    nota notas comentario observaciones pregunta respuesta tema contenido término lugar`,
  it: `nome cognome titolo descrizione numero codice chiave valore data giorno mese anno ora inizio fine categoria classe
    gruppo stato paese città regione indirizzo via telefono azienda ufficio ruolo autore cliente fornitore prodotto
    articolo quantità importo prezzo costo valuta unità dimensione peso colore lingua fonte note commento domanda
    risposta argomento contenuto termine luogo`,
  nl: `naam voornaam achternaam titel omschrijving beschrijving nummer sleutel waarde datum dag maand jaar tijd soort
    categorie klasse groep land stad plaats adres straat postcode telefoon bedrijf afdeling functie auteur klant
    leverancier aantal bedrag prijs kosten valuta eenheid grootte gewicht kleur taal bron opmerking opmerkingen vraag
    antwoord onderwerp inhoud`,
  pl: `nazwa imię nazwisko tytuł opis numer kod klucz wartość data dzień miesiąc rok godzina początek koniec typ rodzaj
    kategoria klasa grupa status stan kraj miasto miejscowość region adres ulica telefon firma dział stanowisko autor
    klient dostawca produkt ilość liczba kwota cena koszt waluta jednostka rozmiar waga kolor język źródło uwagi
    komentarz pytanie odpowiedź temat treść miejsce`,
  pt: `nome sobrenome título descrição número código chave valor data dia mês ano hora início fim tipo categoria classe
    grupo estado país cidade região endereço morada rua telefone empresa departamento cargo autor cliente fornecedor
    produto artigo quantidade preço custo moeda unidade tamanho peso cor idioma fonte nota observações pergunta resposta
    assunto conteúdo termo lugar`,
}

const headerWords = new Set(Object.values(lists).flatMap((words) => words.split(/\s+/)))
const maxWords = 4
const maxLabelLength = 60

export interface Label {
  /** The words that are common names of columns. */
  words: string[]
  /** Whether it has no other words and no number; 'Group 2' may be a value. */
  isComplete: boolean
}

/** Returns a short text with common names of columns as a label; null for any other text. */
export function parseLabel(text: string): Label | null {
  if (text.length > maxLabelLength || /[.:!?]$/.test(text)) return null
  const all = wordsOf(text)
  const words = all.filter((word) => headerWords.has(word))
  if (words.length === 0 || all.length > maxWords) return null
  return { words, isComplete: words.length === all.length && !/\d/.test(text) }
}

/** Splits a text into words in lower case; identifiers are split, too. */
function wordsOf(text: string): string[] {
  const parts = text.normalize('NFC').replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
  return parts.toLowerCase().match(/\p{L}+/gu) ?? []
}
