export type ContactKind = 'telephone' | 'mail' | 'address' | 'hours'

export type ContactLabels = Record<ContactKind | 'contact', string>

const names = ['contact', 'telephone', 'mail', 'address', 'hours'] as const

/** Labels by language: contact, telephone, e-mail, address, opening hours. */
const labels: Record<string, string> = {
  en: 'Contact|Telephone|E-mail|Address|Opening hours',
  de: 'Kontakt|Telefon|E-Mail|Adresse|Öffnungszeiten',
  fr: 'Contact|Téléphone|E-mail|Adresse|Horaires d’ouverture',
  es: 'Contacto|Teléfono|Correo electrónico|Dirección|Horario de apertura',
  it: 'Contatti|Telefono|E-mail|Indirizzo|Orari di apertura',
  pt: 'Contacto|Telefone|E-mail|Endereço|Horário de funcionamento',
  nl: 'Contact|Telefoon|E-mail|Adres|Openingstijden',
  pl: 'Kontakt|Telefon|E-mail|Adres|Godziny otwarcia',
  cs: 'Kontakt|Telefon|E-mail|Adresa|Otevírací doba',
  sk: 'Kontakt|Telefón|E-mail|Adresa|Otváracie hodiny',
  sv: 'Kontakt|Telefon|E-post|Adress|Öppettider',
  da: 'Kontakt|Telefon|E-mail|Adresse|Åbningstider',
  nb: 'Kontakt|Telefon|E-post|Adresse|Åpningstider',
  no: 'Kontakt|Telefon|E-post|Adresse|Åpningstider',
  fi: 'Yhteystiedot|Puhelin|Sähköposti|Osoite|Aukioloajat',
  hu: 'Kapcsolat|Telefon|E-mail|Cím|Nyitvatartás',
  ro: 'Contact|Telefon|E-mail|Adresă|Program',
  tr: 'İletişim|Telefon|E-posta|Adres|Çalışma saatleri',
  el: 'Επικοινωνία|Τηλέφωνο|E-mail|Διεύθυνση|Ώρες λειτουργίας',
  ru: 'Контакты|Телефон|Эл. почта|Адрес|Часы работы',
  uk: 'Контакти|Телефон|Ел. пошта|Адреса|Години роботи',
  ja: 'お問い合わせ|電話番号|メール|住所|営業時間',
  zh: '联系方式|电话|电子邮件|地址|营业时间',
  ko: '연락처|전화번호|이메일|주소|영업시간',
  ar: 'اتصل بنا|الهاتف|البريد الإلكتروني|العنوان|ساعات العمل',
}

/** Returns the labels in a language (BCP 47); in English for one that is not known. */
export function contactLabels(language: string): ContactLabels {
  const values = (labels[language.split('-')[0] ?? ''] ?? labels.en ?? '').split('|')
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? name])) as ContactLabels
}

/** Returns the heading of contacts, which names what they are: 'Contact: telephone, opening hours'. */
export function contactHeading(kinds: ReadonlySet<ContactKind>, language: string): string {
  const { contact, ...rest } = contactLabels(language)
  const present = names.flatMap((name) => (name !== 'contact' && kinds.has(name) ? [rest[name]] : []))
  return present.length === 0 ? contact : `${contact}: ${present.join(', ')}`
}
