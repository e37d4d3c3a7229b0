import { escapeUTF8 } from 'entities/escape'

export interface Mail {
  to: string
  subject: string
  text: string
  html: string
}

/** What an e-mail says. None of the texts are HTML. */
export interface Letter {
  subject: string
  paragraphs: string[]
  link: { label: string; href: string }
  /** Below the link. */
  closing: string[]
}

/** The light colours of app/styles/tokens.css: clients know neither oklch() nor light-dark(). */
const colors = { text: '#142025', soft: '#4c595e', accent: '#006475', onAccent: '#fbfefe' }
const bodyStyle = `margin:0;padding:24px;font:16px/1.5 Inter,Arial,sans-serif;color:${colors.text};background:#ffffff`
const softStyle = `color:${colors.soft};font-size:14px;overflow-wrap:anywhere`
const buttonStyle = `display:inline-block;padding:10px 16px;border-radius:6px;background:${colors.accent};color:${colors.onAccent};font-weight:600;text-decoration:none`

/** Renders a letter as plain text and as simple HTML, which loads nothing. */
export function renderMail(to: string, { subject, paragraphs, link, closing }: Letter): Mail {
  const top = paragraphs.map(oneLine)
  const bottom = closing.map(oneLine)
  const href = escapeUTF8(link.href)
  return {
    to,
    subject: oneLine(subject),
    text: `${[...top, link.href, ...bottom].join('\n\n')}\n`,
    html: [
      '<!doctype html>',
      `<html lang="en"><head><meta charset="utf-8"><title>${escapeUTF8(oneLine(subject))}</title></head>`,
      `<body style="${bodyStyle}">`,
      ...top.map((text) => `<p>${escapeUTF8(text)}</p>`),
      `<p><a href="${href}" style="${buttonStyle}">${escapeUTF8(link.label)}</a></p>`,
      `<p style="${softStyle}">If the link does not work, copy this address into a browser:<br>${href}</p>`,
      ...bottom.map((text) => `<p style="${softStyle}">${escapeUTF8(text)}</p>`),
      '</body></html>',
      '',
    ].join('\n'),
  }
}

/** Replaces line breaks and other control characters, which would add headers or paragraphs. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
