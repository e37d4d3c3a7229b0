import { type Site, startSite } from './site'

/** A veterinary practice in three languages, whose pages name things by other words than their visitors. */
export function clinicSite(): Promise<Site> {
  return startSite(
    Object.fromEntries(
      Object.entries(pages).flatMap(([language, { name, links, ...texts }]) => {
        const menu = `<nav>${Object.entries(links)
          .map(([path, label]) => `<a href="/${language}/${path}">${label}</a>`)
          .join(' ')}</nav>`
        return Object.entries(texts).map(([path, text]) => [
          path === 'home' ? (language === 'en' ? '/' : `/${language}/`) : `/${language}/${path}`,
          `<html lang="${language}"><head><title>${name}</title></head><body>${menu}${languages}<main>${text}</main></body></html>`,
        ])
      }),
    ),
  )
}

const languages = '<p><a href="/">English</a> <a href="/de/">Deutsch</a> <a href="/pl/">Polski</a></p>'

const pages = {
  en: {
    name: 'Meadow Animal Clinic',
    links: { visit: 'Visit us', prices: 'Prices', stay: 'In-patients' },
    home: `<h1>Meadow Animal Clinic</h1><p>We have cared for dogs, cats and rabbits since 1994. Three doctors and five
      nurses work in our house by the river.</p><p>We take emergencies at any hour. Please ring before you come.</p>`,
    visit: `<h1>Visit us</h1><h2>Telephone</h2><p>+48 61 555 02 10</p><h2>Consulting hours</h2><ul><li>Monday to Friday:
      8 am to 7 pm</li><li>Saturday: 9 am to 1 pm</li><li>Sunday: emergencies only</li></ul><h2>How to reach us</h2><p>Take
      tram 5 to the bridge.</p><p>Parking for patients: 12 places behind the house.</p>`,
    prices: `<h1>Prices</h1><ul><li>Examination: 25 €</li><li>Vaccination of a dog: 35 €</li><li>Vaccination of a cat:
      30 €</li><li>Removal of tartar: 120 €</li><li>Night stay with a nurse: 62 €</li></ul>`,
    stay: `<h1>In-patients</h1><p>After an operation an animal may have to stay with us. During the night a nurse looks
      after all in-patients, and a doctor is in the house. Most animals sleep through their first night, and stay calm if a
      blanket from home lies in the box.</p><p>You may visit in the afternoon. We ring you every morning, and tell you how
      the night was and how long the stay will be.</p>`,
  },
  de: {
    name: 'Tierklinik Wiesengrund',
    links: { besuch: 'Besuch', preise: 'Preise', stationaer: 'Stationäre Aufnahme' },
    home: `<h1>Tierklinik Wiesengrund</h1><p>Seit 1994 behandeln wir Hunde, Katzen und Kaninchen. Drei Ärztinnen und fünf
      Pflegekräfte arbeiten in unserem Haus am Fluss.</p><p>Notfälle nehmen wir zu jeder Stunde an. Bitte rufen Sie vorher
      an.</p>`,
    besuch: `<h1>Besuch</h1><h2>Telefon</h2><p>+48 61 555 02 10</p><h2>Sprechstunden</h2><ul><li>Geöffnet Montag bis
      Freitag: 8 bis 19 Uhr</li><li>Samstag: 9 bis 13 Uhr</li><li>Sonntag: nur Notfälle</li></ul><h2>Anfahrt</h2><p>Mit der
      Straßenbahn 5 bis zur Brücke.</p><p>Parkplatz für Patienten: 12 Plätze hinter dem Haus.</p>`,
    preise: `<h1>Preise</h1><ul><li>Untersuchung: 25 €</li><li>Impfung eines Hundes: 35 €</li><li>Impfung einer Katze:
      30 €</li><li>Entfernung von Zahnstein: 120 €</li><li>Übernachtung mit Pflege: 62 €</li></ul>`,
    stationaer: `<h1>Stationäre Aufnahme</h1><p>Nach einer Operation muss ein Tier vielleicht bei uns bleiben. In der Nacht
      sorgt eine Pflegekraft für alle, und eine Ärztin ist im Haus. Die meisten Tiere schlafen die erste Nacht durch, wenn
      eine Decke von zu Hause in der Box liegt.</p><p>Am Nachmittag dürfen Sie zu Besuch kommen. Wir rufen jeden Morgen an
      und sagen, wie die Nacht war.</p>`,
  },
  pl: {
    name: 'Lecznica pod Dębem',
    links: { kontakt: 'Kontakt', cennik: 'Cennik', szpital: 'Szpital' },
    home: `<h1>Lecznica pod Dębem</h1><p>Od 1994 roku leczymy psy, koty i króliki. W naszym domu nad rzeką pracują trzy
      lekarki i pięć pielęgniarek.</p><p>Nagłe przypadki przyjmujemy o każdej porze. Prosimy najpierw zadzwonić.</p>`,
    kontakt: `<h1>Kontakt</h1><h2>Telefon</h2><p>+48 61 555 02 10</p><h2>Godziny przyjęć</h2><ul><li>Otwarte od poniedziałku
      do piątku: 8.00–19.00</li><li>Sobota: 9.00–13.00</li><li>Niedziela: tylko nagłe przypadki</li></ul><h2>Dojazd</h2>
      <p>Tramwajem 5 do mostu.</p><p>Parking dla pacjentów: 12 miejsc za budynkiem.</p>`,
    cennik: `<h1>Cennik</h1><ul><li>Badanie: 100 zł</li><li>Szczepienie psa: 150 zł</li><li>Szczepienie kota: 130 zł</li>
      <li>Usunięcie kamienia: 500 zł</li><li>Nocleg z opieką: 260 zł</li></ul>`,
    szpital: `<h1>Szpital</h1><p>Po operacji zwierzę musi czasem u nas zostać. W nocy opiekuje się nimi pielęgniarka, a
      lekarka jest w domu. Większość zwierząt przesypia pierwszą noc, jeśli w boksie leży koc z domu.</p><p>Po południu można
      je odwiedzić. Dzwonimy każdego ranka i mówimy, jak minęła noc.</p>`,
  },
}
