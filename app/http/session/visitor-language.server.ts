/** The primary subtag of the visitor's preferred language ('de' for 'de-AT'), or null if the browser names none. */
export function visitorLanguage(request: Request): string | null {
  let best: { language: string; quality: number } | null = null
  for (const part of (request.headers.get('accept-language') ?? '').slice(0, 1_000).split(',')) {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim())
    const [language = ''] = tag.toLowerCase().split('-', 1)
    const quality = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1)
    if (/^[a-z]{2,3}$/.test(language) && quality > (best?.quality ?? 0)) best = { language, quality }
  }
  return best?.language ?? null
}
