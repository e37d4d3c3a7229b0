import type { SiteAnswer } from './site'

/** Pages of the lamp shop that hold text for questions: path, title and the content of <main>. */
const articles: { path: string; title: string; main: string }[] = [
  {
    path: '/',
    title: 'Lamps for dark evenings',
    main: `<h1>Lamps for dark evenings</h1>
<p>Fennel & Wick builds lamps in a small workshop by the sea. Every lamp can be opened with one screwdriver and repaired at home.</p>
<ul><li><a href="/lamps/">All lamps</a></li><li><a href="/help/faq">Questions and answers</a></li><li><a href="/old-storm">Our first storm lamp</a></li></ul>
<p>Read <a href="/journal/warm-light">why warm light helps you sleep</a>, or take the <a href="/catalog.epub">catalogue as an e-book</a>.</p>`,
  },
  {
    path: '/lamps/',
    title: 'All lamps',
    main: `<h1>All lamps</h1>
<p>Three families of lamps are made at the moment.</p>
<table><tr><th>Lamp</th><th>Use</th><th>Price</th></tr>
<tr><td><a href="/lamps/storm-40">Storm 40</a></td><td>Outdoors, in any weather</td><td>89 euros</td></tr>
<tr><td><a href="/lamps/harbor-12">Harbor 12</a></td><td>Desk and reading</td><td>64 euros</td></tr>
<tr><td><a href="/lamps/meadow">Meadow</a></td><td>Bedroom, dimmable</td><td>52 euros</td></tr></table>`,
  },
  {
    path: '/lamps/storm-40',
    title: 'Storm 40 outdoor lantern',
    main: `<h1>Storm 40 outdoor lantern</h1>
<p>The Storm 40 is a lantern for the garden and the boat. It shines with 400 lumens for eleven hours and survives rain, spray and a fall from one metre.</p>
<h2 id="data">Technical data</h2>
<table><tr><th>Property</th><th>Value</th></tr><tr><td>Brightness</td><td>400 lumens</td></tr><tr><td>Weight</td><td>720 grams</td></tr><tr><td>Protection</td><td>IP66</td></tr></table>
<p>See <a href="/help/battery">how to change its battery</a>.</p>`,
  },
  {
    path: '/lamps/harbor-12',
    title: 'Harbor 12 reading lamp',
    main: `<h1>Harbor 12 reading lamp</h1>
<p>The Harbor 12 stands on the desk and throws an even, glare-free light onto the page. Its arm of oiled oak reaches 62 centimetres.</p>
<p>A touch on the foot switches it on; holding the finger there dims it in twelve steps.</p>`,
  },
  {
    path: '/lamps/meadow',
    title: 'Meadow bedroom lamp',
    main: `<h1>Meadow bedroom lamp</h1>
<p>Meadow glows like a sunset and fades out by itself within thirty minutes, so that nobody has to get up to switch it off.</p>
<p>The shade is woven from linen and can be washed at 30 degrees.</p>`,
  },
  {
    path: '/help/battery',
    title: 'Changing the battery of a Storm 40',
    main: `<h1>Changing the battery of a Storm 40</h1>
<p>The Storm 40 runs on one rechargeable cell of type 21700. You need a small cross-head screwdriver and five minutes.</p>
<ol><li>Switch the lantern off and let it cool down.</li><li>Turn the base ring a quarter turn to the left and pull it off.</li><li>Loosen the two screws and lift the old cell out.</li><li>Put the new cell in with its plus pole towards the glass.</li><li>Close the base until the ring clicks, so that it stays watertight.</li></ol>
<h2 id="disposal">Where the old battery goes</h2>
<p>Bring the old cell to a collection point for batteries; it must not go into household waste.</p>`,
  },
  {
    path: '/help/cleaning',
    title: 'Cleaning glass and linen',
    main: `<h1>Cleaning glass and linen</h1>
<p>Wipe the glass of a cold lamp with vinegar and newspaper. Soot comes off with a paste of baking soda.</p>
<p>Take the linen shade off its wire before you wash it, and dry it flat.</p>`,
  },
  {
    path: '/help/faq',
    title: 'Questions and answers',
    main: `<h1>Questions and answers</h1>
<dl><dt>Can the lamps be dimmed?</dt><dd>Harbor 12 and Meadow can. The Storm 40 has two fixed levels.</dd>
<dt>Which bulb fits the Meadow?</dt><dd>Any bulb with an E14 base and at most 4 watts.</dd>
<dt>Do you ship abroad?</dt><dd>Yes, see <a href="/shipping">shipping</a>.</dd></dl>`,
  },
  {
    path: '/shipping',
    title: 'Shipping',
    main: `<h1>Shipping</h1>
<p>Parcels leave the workshop on Tuesdays and Fridays. Within the country they take two days and cost 4.90 euros; to other countries of Europe five days and 12 euros.</p>
<p>Orders above 100 euros are shipped free of charge.</p>`,
  },
  {
    path: '/returns',
    title: 'Returns and refunds',
    main: `<h1>Returns and refunds</h1>
<p>You may send a lamp back within sixty days, even when it was used. The refund reaches your account within one week after the parcel arrived.</p>
<p>Write the order number on the parcel. <a href="/missing">The return form</a> is optional.</p>`,
  },
  {
    path: '/warranty',
    title: 'Warranty of ten years',
    main: `<h1>Warranty of ten years</h1>
<p>Every lamp has a warranty of ten years on its body and three years on its electronics. Batteries are worn parts and are not covered.</p>`,
  },
  {
    path: '/journal/warm-light',
    title: 'Why warm light helps you sleep',
    main: `<article><h1>Why warm light helps you sleep</h1><p class="meta">From the journal</p>
<p>Blue parts of light tell the body that it is noon. A lamp of 2200 kelvin has hardly any, so melatonin can rise in the evening.</p>
<blockquote><p>Two hours of warm light before bed shorten the time to fall asleep.</p></blockquote>
<p>That is why the Meadow lamp reddens as it fades.</p></article>`,
  },
]

function layout(title: string, main: string, head = ''): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} - Fennel &amp; Wick</title>
<meta name="description" content="${title}, from the workshop of Fennel &amp; Wick.">${head}
<style>body{font-family:sans-serif}</style><script>window.shop = { cart: [] }</script></head>
<body><div class="cookie-banner" role="dialog">We use cookies. <button>Accept</button></div>
<header><a href="/">Fennel & Wick</a><nav><a href="/lamps/">Lamps</a> <a href="/help/battery">Battery</a> <a href="/help/cleaning">Cleaning</a> <a href="/help/faq">FAQ</a></nav></header>
<main>${main}</main>
<footer><a href="/shipping">Shipping</a> <a href="/returns">Returns</a> <a href="/warranty">Warranty</a> <a href="/private/prices">Dealers</a> <a href="/members">Members</a> <a href="/empty">Gallery</a>
<p>Fennel & Wick, Quay 7. All rights reserved.</p></footer></body></html>`
}

/** Paths of the pages whose text a crawl of the whole site ends up with, in the order of the sitemap. */
export const lampPaths = articles.map((article) => article.path)

/** Questions and the one page that answers each. */
export const lampQuestions: { question: string; path: string }[] = [
  { question: 'How do I change the battery of a Storm 40?', path: '/help/battery' },
  { question: 'How long does the warranty last?', path: '/warranty' },
  { question: 'How many days do I have to send a lamp back?', path: '/returns' },
  { question: 'What does a parcel to another country cost?', path: '/shipping' },
  { question: 'Which bulb fits the Meadow?', path: '/help/faq' },
  { question: 'How do I get soot off the glass?', path: '/help/cleaning' },
]

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#b4541f"/><circle cx="16" cy="13" r="6" fill="#ffe9b8"/><rect x="12" y="21" width="8" height="5" rx="1.5" fill="#ffe9b8"/></svg>`

/**
 * The shop as paths and answers. Besides the articles: `/old-storm` redirects to `/lamps/storm-40`, `/private/prices` is
 * closed by robots.txt, `/members` says noindex, `/empty` has no text, `/catalog.epub` is no page, `/missing` is a 404.
 */
export function lampPages(): Record<string, SiteAnswer> {
  const pages: Record<string, SiteAnswer> = {}
  for (const { path, title, main } of articles) pages[path] = layout(title, main)
  pages['/robots.txt'] = 'User-agent: *\nDisallow: /private/\nSitemap: {origin}/sitemap.xml\n'
  const addresses = lampPaths.map((path) => `<url><loc>{origin}${path}</loc></url>`).join('\n')
  pages['/sitemap.xml'] =
    `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses}\n</urlset>`
  pages['/old-storm'] = { status: 301, headers: { location: '/lamps/storm-40' } }
  pages['/private/prices'] = layout('Dealer prices', '<h1>Dealer prices</h1><p>Storm 40: 51 euros from ten pieces.</p>')
  pages['/members'] = layout(
    'Members',
    '<h1>Members</h1><p>The members of our repair club meet on Thursdays.</p>',
    '<meta name="robots" content="noindex">',
  )
  pages['/empty'] = layout('Gallery', '<div id="gallery"></div>')
  pages['/favicon.ico'] = icon
  pages['/catalog.epub'] = { headers: { 'content-type': 'application/epub+zip' }, body: 'PK' }
  return pages
}
