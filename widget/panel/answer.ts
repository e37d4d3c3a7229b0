import type { Fragment, Source } from './api'
import { drawMarkdown, element, link } from './markdown'
import type { Texts } from './texts'

export interface AnswerActions {
  texts: Texts
  /** Sends the visitor's opinion. */
  rate(rating: 'up' | 'down', comment: string): Promise<void>
}

/** An answer of the agent: its text as it comes, then its sources and buttons. */
export function createAnswer(texts: Texts) {
  const body = element('div')
  const cards = element('ul')
  cards.className = 'cards'
  cards.setAttribute('aria-label', texts.sources)
  cards.hidden = true
  const node = element('div', body, cards)
  node.className = 'it'
  let written = ''
  let isDrawn = true
  let fragments: Fragment[] = []
  let carded = ''

  function draw(): void {
    isDrawn = true
    drawMarkdown(body, written)
    const numbers = [...body.querySelectorAll('.cite')].map(({ textContent }) => Number(textContent))
    if (fragments.length > 0) showCards(sourcesOf(numbers, fragments))
  }

  function showCards(sources: Source[]): void {
    // An answer that grows cites the same for most of the time, and a card must not change under the pointer.
    const shown = sources.map(({ number, link }) => number + link).join()
    if (shown === carded) return
    carded = shown
    for (const cite of body.querySelectorAll<HTMLAnchorElement>('a.cite')) {
      const source = sources.find(({ number }) => String(number) === cite.textContent)
      if (source) cite.href = source.link
    }
    cards.replaceChildren(
      ...sources.flatMap(({ number, title, link: address }) => {
        const anchor = link('', address)
        if (!anchor) return []
        anchor.append(element('b', String(number)), element('span', title, element('small', placeOf(address))))
        return element('li', anchor)
      }),
    )
    cards.hidden = cards.childElementCount === 0
  }

  return {
    node,
    /** Says that the answer is being looked for, until its first text. */
    wait(): void {
      body.replaceChildren(waiting(texts))
    },

    /** Nothing more is to come. */
    end(): void {
      if (written === '') body.replaceChildren()
    },

    /** Appends text, which appears with the next frame. */
    append(text: string): void {
      written += text
      if (!isDrawn) return
      isDrawn = false
      requestAnimationFrame(draw)
    },

    set(text: string): void {
      written = text
      draw()
    },

    note(text: string): void {
      const line = element('p', text)
      line.className = 'note'
      body.after(line)
    },

    /** Takes what was found: each fragment gets its card as soon as the text cites it. */
    found(all: Fragment[]): void {
      fragments = all
    },

    /** Shows the sources of a complete answer. */
    showSources(sources: Source[]): void {
      fragments = []
      showCards(sources)
    },

    showTools({ rate }: AnswerActions, rated: 'up' | 'down' | null): void {
      const tools = element('div')
      tools.className = 'tools'
      const copy = button(texts.copy, async () => {
        await navigator.clipboard.writeText(written)
        copy.textContent = texts.copied
      })
      const opinions = (['up', 'down'] as const).map((rating) => {
        const first = button(rating === 'up' ? texts.helpful : texts.unhelpful, async () => {
          await rate(rating, '')
          press(rating)
          if (rating === 'down') askWhy()
        })
        return [rating, first] as const
      })
      tools.append(copy, ...opinions.map(([, first]) => first))
      press(rated)
      node.append(tools)

      function press(rating: 'up' | 'down' | null): void {
        for (const [name, first] of opinions) first.setAttribute('aria-pressed', String(name === rating))
      }

      function askWhy(): void {
        if (tools.querySelector('input')) return
        const field = element('input')
        field.maxLength = 1_000
        field.setAttribute('aria-label', texts.why)
        field.placeholder = texts.why
        field.addEventListener('keydown', async (event) => {
          if (event.key !== 'Enter' || event.isComposing) return
          event.preventDefault()
          await rate('down', field.value)
          const hasFocus = field.matches(':focus')
          field.replaceWith(texts.thanks)
          if (hasFocus) opinions.at(-1)?.[1].focus()
        })
        tools.append(field)
        field.focus()
      }
    },
  }
}

/** The fragments of these numbers, of which the first is 1. */
export function sourcesOf(numbers: number[], fragments: Fragment[]): Source[] {
  return [...new Set(numbers)].flatMap((number) => {
    const fragment = fragments[number - 1]
    return fragment ? { number, title: fragment.title, link: fragment.link } : []
  })
}

/** A line to look at while nothing has come yet. */
export function waiting(texts: Texts): HTMLElement {
  const line = element('p', texts.thinking)
  line.className = 'wait'
  return line
}

/** A button that does nothing more when its action fails. */
export function button(label: string, act: () => unknown): HTMLButtonElement {
  const created = element('button', label)
  created.type = 'button'
  created.addEventListener('click', async () => {
    try {
      await act()
    } catch {}
  })
  return created
}

/** Host and path of an address, without the passage that it names. */
export function placeOf(address: string): string {
  const { host, pathname } = new URL(address)
  return host + (pathname === '/' ? '' : pathname)
}
