import { readOptions, type WidgetOptions } from './options'

/** What the loader gives to the panel's script. */
export interface PanelContext {
  options: WidgetOptions
  root: ShadowRoot
  /** Addresses of the texts by language; English is in the panel. */
  locales: Record<string, string>
  emit(event: WidgetEvent, detail?: unknown): void
  closed(): void
}

export interface Panel {
  open(mode?: 'ask' | 'search', takesFocus?: boolean): void
  close(): void
  ask(question: string): void
}

export type WidgetEvent = 'open' | 'close' | 'question' | 'answer' | 'error'

/** The panel's script reads this from its own tag, so that no other script of the page can take part. */
export type PanelTag = HTMLScriptElement & { start?: (create: (context: PanelContext) => Promise<Panel>) => void }

/** Set by the build: the panel's file with its integrity, and the files of the texts. */
declare const panelFile: { path: string; integrity: string }
declare const localeFiles: Record<string, string>

/** Labels of the button, closed and open, and what it says where the panel cannot be loaded, with the texts of the language. */
const labels: Record<string, [string, string, string]> = {
  en: ['Ask a question', 'Close', 'The assistant is not available on this page.'],
  de: ['Frage stellen', 'Schließen', 'Der Assistent ist auf dieser Seite nicht verfügbar.'],
  es: ['Hacer una pregunta', 'Cerrar', 'El asistente no está disponible en esta página.'],
  fr: ['Poser une question', 'Fermer', 'L’assistant n’est pas disponible sur cette page.'],
  pl: ['Zadaj pytanie', 'Zamknij', 'Asystent nie jest dostępny na tej stronie.'],
  it: ['Fai una domanda', 'Chiudi', 'L’assistente non è disponibile in questa pagina.'],
  pt: ['Fazer uma pergunta', 'Fechar', 'O assistente não está disponível nesta página.'],
  nl: ['Stel een vraag', 'Sluiten', 'De assistent is niet beschikbaar op deze pagina.'],
  cs: ['Položit dotaz', 'Zavřít', 'Asistent není na této stránce k dispozici.'],
  uk: ['Поставити запитання', 'Закрити', 'Асистент недоступний на цій сторінці.'],
  ja: ['質問する', '閉じる', 'このページではアシスタントを利用できません。'],
  zh: ['提问', '关闭', '此页面无法使用助手。'],
  ar: ['اطرح سؤالاً', 'إغلاق', 'المساعد غير متاح في هذه الصفحة.'],
}

const maxQuestionLength = 2_048

/** Outlines in a square of 24. */
const speech = 'M4 5h16v11H9l-5 4z'
const cross = 'M6 6l12 12M18 6L6 18'

const tag = document.currentScript as HTMLScriptElement | null
if (tag) start(tag)

function start(script: HTMLScriptElement): void {
  const options = readOptions(script)
  const listeners: { event: WidgetEvent; listen: (detail: unknown) => void }[] = []
  const host = document.createElement('sitelore-widget')
  const root = host.attachShadow({ mode: 'closed' })
  const style = new CSSStyleSheet()
  style.replaceSync(hostStyle(options))
  root.adoptedStyleSheets = [style]
  const bubble = document.createElement('button')
  let panel: Promise<Panel> | null = null
  let isOpen = false

  const api = Object.freeze({
    open: () => run((item) => item.open()),
    close: () => void panel?.then((item) => item.close()),
    ask: (question: string) => run((item) => item.ask(String(question).slice(0, maxQuestionLength))),
    /** Returns a function that ends listening. */
    on(event: WidgetEvent, listen: (detail: unknown) => void) {
      const entry = { event, listen }
      listeners.push(entry)
      return () => void listeners.splice(listeners.indexOf(entry), 1)
    },
  })
  Object.defineProperty(window, 'Sitelore', { value: api, configurable: true })

  if (options.mode === 'bubble') addBubble()
  addEventListener('keydown', (event) => {
    // A page that changes without loading may have removed the widget.
    if (host.isConnected && (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      run((item) => item.open('search'))
    }
  })
  // Buttons of the page that ask a question, or open the chat where they name none.
  addEventListener('click', (event) => {
    const caller = event.target instanceof Element && event.target.closest('[data-sitelore-ask]')
    if (!caller || !host.isConnected) return
    event.preventDefault()
    const question = caller.getAttribute('data-sitelore-ask')
    run((item) => (question ? item.ask(question.slice(0, maxQuestionLength)) : item.open()))
  })
  if (document.readyState === 'loading') addEventListener('DOMContentLoaded', attach)
  else attach()

  function attach(): void {
    if (options.mode === 'inline') {
      script.after(host)
      run(() => {})
    } else {
      document.body.append(host)
      if (options.isOpen) run((item) => item.open('ask', false))
    }
  }

  function addBubble(): void {
    bubble.type = 'button'
    bubble.className = 'bubble'
    bubble.addEventListener('click', () => run((item) => (isOpen ? item.close() : item.open())))
    root.append(bubble)
    mark()
  }

  function mark(): void {
    bubble.replaceChildren(icon(isOpen ? cross : speech))
    bubble.setAttribute('aria-expanded', String(isOpen))
    bubble.setAttribute('aria-label', labels[options.language]?.[isOpen ? 1 : 0] ?? 'Ask a question')
  }

  function run(use: (panel: Panel) => void): void {
    panel ??= load()
    panel.then(use, () => {
      panel = null
      bubble.title = labels[options.language]?.[2] ?? ''
    })
  }

  function load(): Promise<Panel> {
    return new Promise((resolve, reject) => {
      const element: PanelTag = document.createElement('script')
      element.src = trustedUrl(options.server + panelFile.path)
      element.integrity = panelFile.integrity
      element.crossOrigin = 'anonymous'
      element.nonce = script.nonce
      element.onerror = reject
      element.start = (create) => {
        const locales = Object.fromEntries(
          Object.entries(localeFiles).map(([language, path]) => [language, options.server + path]),
        )
        create({ options, root, locales, emit, closed: () => bubble.focus() }).then(resolve, reject)
      }
      document.head.append(element)
    })
  }

  function emit(event: WidgetEvent, detail?: unknown): void {
    if (event === 'open' || event === 'close') {
      isOpen = event === 'open'
      mark()
    }
    for (const listener of [...listeners]) if (listener.event === event) listener.listen(detail)
  }
}

/** A page that requires trusted types takes no text as the address of a script. */
function trustedUrl(url: string): string {
  const { trustedTypes } = window as unknown as {
    trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string }
    }
  }
  try {
    return trustedTypes?.createPolicy('sitelore', { createScriptURL: (text) => text }).createScriptURL(url) ?? url
  } catch {
    // The page names the policies that it allows. Without this one, it may still take a text.
    return url
  }
}

function icon(outline: string): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(namespace, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(namespace, 'path')
  path.setAttribute('d', outline)
  svg.append(path)
  return svg
}

/** The rules of the host are important, because rules of the page come before them otherwise. */
function hostStyle({ mode, position, color }: WidgetOptions): string {
  const accent = color ?? '#00718f'
  const place = mode === 'inline' ? 'display:block!important' : 'display:contents!important'
  return `:host{all:initial!important;${place};--accent:var(--sitelore-color,${accent});--on-accent:var(--sitelore-on-color,${textOn(accent)})}
.bubble{position:fixed;z-index:2147483000;bottom:20px;${position}:20px;width:56px;height:56px;padding:15px;border:0;border-radius:50%;background:var(--accent);color:var(--on-accent);cursor:pointer;box-shadow:0 12px 32px -8px #0006,0 2px 6px #0003}
.bubble:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.bubble svg{width:100%;height:100%;fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
@media print{:host{display:none!important}}`
}

/** White or black, whichever is easier to read on the color: the contrast formula of WCAG 2. */
function textOn(color: string): string {
  const canvas = document.createElement('canvas').getContext('2d')
  if (!canvas) return '#fff'
  canvas.fillStyle = color
  // Colors with transparency come back as rgba(), which keeps white.
  const channels = /^#(..)(..)(..)$/.exec(canvas.fillStyle)?.slice(1)
  if (!channels) return '#fff'
  const [red = 0, green = 0, blue = 0] = channels
    .map((part) => Number.parseInt(part, 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}
