import type { ContactKind } from './contact-labels'

const mailAddress =
  /[\p{L}\p{N}._%+-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?!(?:png|jpe?g|gif|svg|webp|avif|css|js)\b)\p{L}{2,24}/giu

/** A number with a country code, or in the form 555-555-0100. */
const internationalNumber = /(?<![\p{L}\p{N}])(?:\+|00)[1-9][\d\s\u00a0()./-]{6,20}\d/gu
const dividedNumber = /(?<![\p{L}\p{N}.-])\(?\d{3}\)?[\s\u00a0.-]\d{3}[\s\u00a0.-]\d{4}(?![\s\u00a0-]?[\p{N}])/gu
/** Any number after a word for telephone. */
const labelledNumber =
  /(?<!\p{L})(?:tel|tél|fon|phone|telephone|telefon|telefono|teléfono|telefone|téléphone|telefoon|fax|mobile?|mobil|handy|hotline|infolin[ei]a?|puh|puhelin|tlf|kom|gsm|call(?: us)?(?: on| at)?|тел|телефон|τηλ|τηλέφωνο|電話|电话|전화)[\p{L}]{0,4}[.:：\s\u00a0)(]{0,4}([+(\d][\d\s\u00a0()./-]{4,20}\d)/giu

const timeRange =
  /(?<![\d.:])([01]?\d|2[0-4])(?:[:.h][0-5]\d)?\s?(?:a\.?m\.?|p\.?m\.?|uhr|h|hrs?|ч)?\s?(?:[-–—~～]|to|till|until|bis|do|à|a|až|tot|til|al|alle|до|から)\s?([01]?\d|2[0-4])(?:[:.h][0-5]\d)?\s?(?:a\.?m\.?|p\.?m\.?|uhr|h|hrs?|ч)?(?![\d/.])/iu
/** Names of days, and their usual short forms, in the languages of the labels. */
const days =
  'mon|monday|tue|tues|tuesday|wed|wednesday|thu|thur|thurs|thursday|fri|friday|sat|saturday|sun|sunday|weekdays?|weekends?|daily|mo|montag|di|dienstag|mi|mittwoch|do|donnerstag|fr|freitag|sa|samstag|so|sonntag|täglich|werktags|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lun|lunes|mar|martes|mié|miércoles|jue|jueves|vie|viernes|sáb|sábado|dom|domingo|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica|segunda|terça|quarta|quinta|sexta|ma|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag|pon|poniedziałek|pn|wt|wtorek|śr|środa|czw|cz|czwartek|pt|piątek|sob|sobota|nd|niedz|niedziela|codziennie|pondělí|po|úterý|út|středa|st|čtvrtek|čt|pátek|pá|neděle|ne|måndag|mån|tisdag|onsdag|torsdag|fredag|lördag|söndag|mandag|man|tirsdag|lørdag|søndag|maanantai|tiistai|keskiviikko|torstai|perjantai|lauantai|sunnuntai|hétfő|kedd|szerda|csütörtök|péntek|szombat|vasárnap|luni|marți|miercuri|joi|vineri|sâmbătă|duminică|pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar|пн|вт|ср|чт|пт|сб|вс|понедельник|вторник|среда|четверг|пятница|суббота|воскресенье|понеділок|вівторок|середа|четвер|субота|неділя|月|火|水|木|金|土|日|周一|周五|周六|周日|星期一'
const dayName = new RegExp(`(?<![\\p{L}\\p{N}])(?:${days})(?![\\p{L}\\p{N}])`, 'iu')
const hoursWord =
  /(?:opening|business|office|visiting) (?:hours|times)|\bhours\b|\bopen\b|öffnungszeiten|geöffnet|sprechzeiten|horaires|ouvert|horarios?|abierto|orari|aperto|horário|openingstijden|geopend|godziny|czynne|otwarte|otev[íř]|otvárac|öppet|åbning|åpning|aukiolo|avoinna|nyitva|program|çalışma saat|ώρες|часы работы|режим работы|години роботи|営業時間|营业时间|영업시간/iu

/** Postal codes before or after a place: '00-950 Warszawa', 'D-10115 Berlin', '2312 AB Leiden', 'NY 10001', 'SW1A 1AA'. */
const postalCode =
  /(?<![\p{L}\p{N}-])(?:\d{2}-\d{3} \p{Lu}\p{L}|(?:[A-Z]{1,2}-)?\d{5} \p{Lu}\p{L}|\d{3} \d{2} \p{Lu}\p{L}|\d{4} ?[A-Z]{2} \p{Lu}\p{L}|[A-Z]{2} \d{5}(?![\p{L}\p{N}])|[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![\p{L}\p{N}]))|〒\d{3}-\d{4}/u
/** Four digits may be a year; with a house number they are a postal code. */
const shortPostalCode = /\p{L}\s+\d{1,4}\s?[a-z]?\s*[,\n|·]\s*(?:[A-Z]{1,2}-)?\d{4} \p{Lu}\p{L}/u

/** Characters of a line that may be a postal address. */
const maxAddressLength = 200
const telephoneDigits = { min: 7, max: 15 }

/** Digits at the end of a number that are compared: pages write the same one with and without its country code. */
export const comparedDigits = 7

/** Returns the e-mail addresses in a text, in lower case. */
export function mailAddressesIn(text: string): string[] {
  return text.includes('@') ? [...text.matchAll(mailAddress)].map(([found]) => found.toLowerCase()) : []
}

/** Returns the telephone numbers in a text, digits only. */
export function telephoneNumbersIn(text: string): string[] {
  const found = [internationalNumber, dividedNumber].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([all]) => all),
  )
  const labelled = [...text.matchAll(labelledNumber)].map(([, number = '']) => number)
  const numbers = [...found, ...labelled.filter((number) => digitsOf(number).length >= telephoneDigits.min - 2)]
  return numbers.map(digitsOf).filter((digits) => digits.length <= telephoneDigits.max && digits.length >= 5)
}

/** Returns what a text says about how to reach somebody. `heading` is the heading above it. */
export function contactKindsIn(text: string, heading = ''): ContactKind[] {
  const kinds: ContactKind[] = []
  if (telephoneNumbersIn(text).length > 0) kinds.push('telephone')
  if (mailAddressesIn(text).length > 0) kinds.push('mail')
  if (text.split('\n').some((line) => line.length <= maxAddressLength && isPostalAddress(line))) kinds.push('address')
  else if (text.length <= maxAddressLength && isPostalAddress(text)) kinds.push('address')
  if (hasOpeningHours(text, heading)) kinds.push('hours')
  return kinds
}

export function digitsOf(text: string): string {
  return text.replace(/\D+/g, '')
}

function isPostalAddress(text: string): boolean {
  return !/[©?!]/.test(text) && (postalCode.test(text) || shortPostalCode.test(text))
}

function hasOpeningHours(text: string, heading: string): boolean {
  if (!timeRange.test(text)) return false
  return (
    text.split('\n').some((line) => timeRange.test(line) && dayName.test(line)) || hoursWord.test(`${heading}\n${text}`)
  )
}
