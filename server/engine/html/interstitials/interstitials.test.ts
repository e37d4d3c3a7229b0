import { describe, expect, it } from 'vitest'
import { extractPage } from '../extract-page'

const interstitialOf = (html: string, url = 'https://site.example/page') => extractPage(html, url).interstitial
const page = (title: string, body: string) =>
  `<!doctype html><html><head><title>${title}</title></head><body><nav><a href="/">Home</a> <a href="/shop">Shop</a></nav>${body}<footer>© 2024 Lantern Ltd, all rights reserved</footer></body></html>`
const sentence = 'The storm lamp hums in the dark while the wind goes round the house and nobody is awake to hear it. '

describe('login pages', () => {
  const form = (labels: [string, string, string]) =>
    `<main><form method="post"><label>${labels[0]} <input type="text" name="user"></label><label>${labels[1]} <input type="password" name="pw"></label><button>${labels[2]}</button><a href="/forgot">?</a></form></main>`

  it.each([
    ['Sign in · Lantern', ['Email', 'Password', 'Sign in']],
    ['Log in - Lantern', ['User name', 'Password', 'Log in']],
    ['Anmelden | Laterne', ['Benutzername', 'Passwort', 'Anmelden']],
    ['Connexion - Lanterne', ['Identifiant', 'Mot de passe', 'Se connecter']],
    ['Iniciar sesión', ['Correo', 'Contraseña', 'Acceder']],
    ['Zaloguj się', ['E-mail', 'Hasło', 'Zaloguj się']],
    ['Accedi', ['Nome utente', 'Parola d’ordine', 'Accedi']],
    ['Iniciar sessão', ['Utilizador', 'Palavra-passe', 'Entrar']],
    ['Inloggen', ['Gebruikersnaam', 'Wachtwoord', 'Inloggen']],
    ['Lantern', ['Email', 'Password', 'Sign in']],
  ] as [string, [string, string, string]][])('%s', (title, labels) => {
    expect(interstitialOf(page(title, form(labels)))).toBe('login')
  })

  it('do not include articles about signing in, with or without a form', () => {
    const article = `<main><h1>How to log in safely</h1><p>${sentence.repeat(8)}</p></main>`
    expect(interstitialOf(page('How to log in safely', article))).toBeNull()
    expect(interstitialOf(page('Log in', article + form(['Email', 'Password', 'Log in'])))).toBeNull()
  })

  it('do not include shop pages with a small form in the header', () => {
    const lamp = '<h1>Storm lamp 40</h1><p>Burns for forty hours, weighs 900 grams. 39 €</p>'
    expect(
      interstitialOf(page('Storm lamp 40', `<header>${form(['Email', 'Password', 'Log in'])}</header>${lamp}`)),
    ).toBeNull()
    expect(
      interstitialOf(
        page('Storm lamp 40', `<div class="modal fade">${form(['Email', 'Password', 'Log in'])}</div>${lamp}`),
      ),
    ).toBeNull()
    expect(interstitialOf(page('Storm lamp 40', `${lamp}${form(['Email', 'Secret', 'Go'])}`))).toBeNull()
  })
})

describe('consent walls', () => {
  it.each([
    [
      'Before you continue',
      'We and our partners use cookies and similar technologies to store personal data. You can withdraw your consent at any time in our privacy policy.',
      'Accept all',
    ],
    [
      'Mit Werbung weiterlesen',
      'Wir und unsere Partner verwenden Cookies und verarbeiten personenbezogene Daten. Ihre Einwilligung können Sie jederzeit widerrufen, siehe Datenschutz.',
      'Akzeptieren und weiter',
    ],
    [
      'Votre vie privée',
      'Nous et nos partenaires utilisons des cookies et des traceurs pour traiter des données personnelles. Vous pouvez retirer votre consentement à tout moment.',
      'Accepter et continuer',
    ],
    [
      'Tu privacidad',
      'Nosotros y nuestros socios usamos cookies para tratar datos personales. Puedes retirar tu consentimiento cuando quieras.',
      'Aceptar todo',
    ],
    [
      'Szanujemy Twoją prywatność',
      'My i nasi partnerzy używamy plików cookies, aby przetwarzać dane osobowe. Zgodę można wycofać w każdej chwili.',
      'Akceptuję',
    ],
    [
      'La tua privacy',
      'Noi e i nostri partner usiamo i cookie per trattare dati personali. Puoi revocare il consenso in qualsiasi momento.',
      'Accetta',
    ],
    [
      'A sua privacidade',
      'Nós e os nossos parceiros usamos cookies para tratar dados pessoais. Pode retirar o consentimento a qualquer momento.',
      'Aceitar tudo',
    ],
    [
      'Jouw privacy',
      'Wij en onze partners gebruiken cookies om persoonsgegevens te verwerken. Je kunt je toestemming altijd intrekken.',
      'Akkoord',
    ],
  ])('%s', (heading, text, button) => {
    const wall = `<div class="gate"><h1>${heading}</h1><p>${text}</p><button>${button}</button></div>`
    expect(interstitialOf(page('Lantern News', wall))).toBe('consent')
  })

  it('do not include pages with a consent notice next to their text, or articles about cookies', () => {
    const notice =
      '<p>We and our partners use cookies for personal data. Withdraw consent in our privacy policy.</p><button>Accept</button>'
    expect(interstitialOf(page('Lamp', `<h1>Lamp</h1><p>${sentence.repeat(3)}</p><div>${notice}</div>`))).toBeNull()
    expect(
      interstitialOf(
        page('Cookies', `<h1>What cookies are</h1><p>${'Cookies and consent keep privacy. '.repeat(80)}</p>${notice}`),
      ),
    ).toBeNull()
    expect(
      interstitialOf(page('Cookies', '<h1>Chocolate cookies</h1><p>Bake the cookies for ten minutes.</p>')),
    ).toBeNull()
  })
})

describe('soft 404 pages', () => {
  it.each([
    ['404 Not Found', '<h1>404 Not Found</h1><hr>nginx'],
    ['404 Not Found', '<h1>Not Found</h1><p>The requested URL /x was not found on this server.</p>'],
    ['Page not found - Lantern', '<h1>Page not found</h1><p>Try the search.</p>'],
    ['Lantern', "<h1>Oops! That page can't be found.</h1><p>It looks like nothing was found at this location.</p>"],
    ['Lantern', "<h1>Sorry, the page you're looking for doesn't exist</h1>"],
    ['Lantern', '<h1>We couldn’t find that page</h1><p>Go back to the start.</p>'],
    ['Laterne', '<h1>Seite nicht gefunden</h1><p>Die angeforderte Seite gibt es nicht (mehr).</p>'],
    ['Laterne', '<h1>Diese Seite existiert leider nicht</h1>'],
    ['Laterne', '<h1>Fehler 404</h1><p>Bitte prüfen Sie die Adresse.</p>'],
    ['Lanterne', '<h1>Page introuvable</h1><p>La page demandée n’est plus là.</p>'],
    ['Erreur 404 | Lanterne', '<p>Oups.</p>'],
    ['Linterna', '<h1>Página no encontrada</h1>'],
    ['Linterna', '<h1>Lo sentimos, esta página no existe</h1>'],
    ['Latarnia', '<h1>Strona nie istnieje</h1>'],
    ['Nie znaleziono strony – Latarnia', '<p>Sprawdź adres.</p>'],
    ['Lanterna', '<h1>Pagina non trovata</h1>'],
    ['Lanterna', '<h1>Página não encontrada</h1><p>Volte ao início.</p>'],
    ['Lantaarn', '<h1>Pagina niet gevonden</h1>'],
    ['ランタン', '<h1>ページが見つかりません</h1>'],
  ])('%s %s', (title, body) => {
    expect(interstitialOf(page(title, `<main>${body}</main>`))).toBe('soft-404')
  })

  it('do not include pages about missing pages or status codes', () => {
    const status = `The HTTP 404 Not Found response status code indicates that the server cannot find the requested resource. Links that lead to a 404 page are often called broken or dead links. A 404 status code only says that the resource is missing without saying whether this is for now or for ever.`
    expect(
      interstitialOf(page('404 Not Found - HTTP | Docs', `<main><h1>404 Not Found</h1><p>${status}</p></main>`)),
    ).toBeNull()
    expect(
      interstitialOf(page('404 Not Found', `<main><h1>404 Not Found</h1><pre>HTTP/1.1 404 Not Found</pre></main>`)),
    ).toBeNull()
    const article = `<main><h1>Page not found: what we learned from 10,000 dead links</h1><p>${sentence}</p></main>`
    expect(interstitialOf(page('Page not found: what we learned - Blog', article))).toBeNull()
    expect(
      interstitialOf(page('Page not found', `<main><h1>Page not found</h1><p>${sentence.repeat(9)}</p></main>`)),
    ).toBeNull()
    expect(
      interstitialOf(page('Peugeot 404', '<main><h1>Peugeot 404</h1><p>Built from 1960 on.</p></main>')),
    ).toBeNull()
    expect(
      interstitialOf(
        page('Nicht gefunden zu werden', '<main><h1>Nicht gefunden zu werden</h1><p>Ein Gedicht.</p></main>'),
      ),
    ).toBeNull()
  })
})

describe('pages that need JavaScript', () => {
  const script = '<script src="/assets/app.js"></script>'

  it.each([
    ['an empty root', `<div id="root"></div>${script}`],
    ['a root with a loading message', `<div id="__next"><p>Loading…</p></div>${script}`],
    ['an element of a framework', `<app-root></app-root>${script}`],
    [
      'a noscript element that asks for it',
      `<noscript>You need to enable JavaScript to run this app.</noscript><div></div>${script}`,
    ],
    ['German', `<noscript>Bitte aktivieren Sie JavaScript.</noscript>${script}`],
    ['French', `<p>Veuillez activer JavaScript pour continuer.</p>${script}`],
    ['Spanish', `<p>Habilite JavaScript en su navegador.</p>${script}`],
    ['Polish', `<p>Włącz obsługę JavaScript, aby zobaczyć stronę.</p>${script}`],
    ['a bundle', `<script>${'a=1;'.repeat(20_000)}</script><div class="x"></div>`],
  ])('%s', (_, body) => {
    expect(interstitialOf(`<html><head><title>Lantern</title></head><body>${body}</body></html>`)).toBe('script')
  })

  it('do not include short pages with a script, or pages with text', () => {
    expect(interstitialOf(page('Lamp', `<main><h1>Lamp</h1><p>Closed for the winter.</p></main>${script}`))).toBeNull()
    expect(
      interstitialOf(page('Lamp', `<div id="root"><h1>Lamp</h1><p>${sentence.repeat(3)}</p></div>${script}`)),
    ).toBeNull()
    expect(
      interstitialOf(
        page(
          'Lamp',
          `<p>${sentence.repeat(3)}</p><noscript>Please enable JavaScript for comments.</noscript>${script}`,
        ),
      ),
    ).toBeNull()
  })
})

it('does not report a short page with a heading as one that needs JavaScript', () => {
  const noscript = '<noscript>JavaScript is disabled on your browser.</noscript><script src="/s.js"></script>'
  const body = `${noscript}<main><h1>Uses of Interface ToolProvider</h1><p>No usage of ToolProvider</p></main>`
  expect(interstitialOf(page('Uses of ToolProvider', body))).toBeNull()
})
