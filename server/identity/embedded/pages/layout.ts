import { createHash } from 'node:crypto'
import { Html, html } from './html'
import { passkeyScript } from './passkey'
import { styles } from './styles'

export interface Page {
  title: string
  body: Html
  /** 'submit' submits the form at once; without scripts, its button remains. 'passkey' serves the form for a passkey. */
  script?: keyof typeof scripts | undefined
}

const scripts = {
  submit: "document.getElementById('op.logoutForm').requestSubmit(document.querySelector('button'))",
  passkey: passkeyScript,
}

/** The complete document, and the headers to send with it. */
export function renderPage({ title, body, script }: Page): {
  text: string
  headers: Record<string, string>
} {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} - Sitelore</title>
<style>${new Html(styles)}</style>
</head>
<body>
<div class="form">
<header><a class="brand" href="/"><svg width="36" height="36" viewBox="0 0 20 20" aria-hidden="true"><rect x="1" y="3" width="11" height="4" rx="1.5"/><rect class="evidence" x="1" y="8.5" width="18" height="4" rx="1.5"/><rect x="1" y="14" width="15" height="4" rx="1.5"/></svg>Sitelore</a></header>
<main>${body}</main>
</div>
<div class="sample" aria-hidden="true"><p class="quote">“The Storm 40 takes <mark>one rechargeable cell of type 21700</mark>.” <b>1</b></p><p class="soft">lamps.example.com › Help › Battery</p></div>
${script && html`<script>${new Html(scripts[script])}</script>`}
</body>
</html>`
  return { text: document.text, headers }
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // The page loads its font alone. The policy allows exactly its own styles and scripts, by their hashes.
  'content-security-policy': [
    "default-src 'none'",
    `style-src '${digest(styles)}'`,
    `script-src ${Object.values(scripts)
      .map((script) => `'${digest(script)}'`)
      .join(' ')}`,
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  // With no-referrer, browsers would send `Origin: null` with forms.
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
