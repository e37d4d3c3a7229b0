import type { Fragment, Source } from './api'
import { drawMarkdown, element } from './markdown'
import { type Icons, sourceItems } from './sources'
import type { Texts } from './texts'

export interface AnswerActions {
  texts: Texts
  /** Sends the visitor's opinion. */
  rate(rating: 'up' | 'down', comment: string): Promise<void>
}

/** An answer of the agent: its text as it comes, then its sources and buttons. */
export function createAnswer(texts: Texts, icons: Icons) {
  const body = element('div')
  body.dir = 'auto'
  const list = element('ul')
  list.className = 'sources'
  list.setAttribute('aria-label', texts.sources)
  list.hidden = true
  const node = element('div', body, list)
  node.className = 'it'
  let written = ''
  let isDrawn = true
  let fragments: Fragment[] = []
  let listed = ''

  function draw(): void {
    isDrawn = true
    drawMarkdown(body, written)
    for (const code of body.querySelectorAll('pre')) addCopy(code)
    const numbers = [...body.querySelectorAll('.cite')].map(({ textContent }) => Number(textContent))
    if (fragments.length > 0) showList(sourcesOf(numbers, fragments))
  }

  function addCopy(code: HTMLElement): void {
    code.tabIndex = 0
    const copy = button(texts.copyCode, async () => {
      await navigator.clipboard.writeText(code.textContent ?? '')
      copy.textContent = texts.copied
    })
    code.before(copy)
  }

  function showList(sources: Source[]): void {
    // An answer that grows cites the same for most of the time, and a source must not change under the pointer.
    const shown = sources.map(({ number, link, passage }) => number + link + (passage?.text ?? '')).join()
    if (shown === listed) return
    listed = shown
    for (const cite of body.querySelectorAll<HTMLAnchorElement>('a.cite')) {
      const source = sources.find(({ number }) => String(number) === cite.textContent)
      if (source) cite.href = source.link
    }
    list.replaceChildren(...sourceItems(sources, icons))
    list.hidden = list.childElementCount === 0
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

    /** Says that the answer broke off; what was written stays. */
    fail(text: string, retry: HTMLElement): void {
      const box = element('div', element('p', text), retry)
      box.className = 'failed'
      box.setAttribute('role', 'alert')
      node.append(box)
    },

    isEmpty: () => written === '',

    /** Takes what was found: each fragment is listed as soon as the text cites it. */
    found(all: Fragment[]): void {
      fragments = all
    },

    /** Shows the sources of a complete answer. */
    showSources(sources: Source[]): void {
      fragments = []
      showList(sources)
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
    return fragment ? { number, title: fragment.title, link: fragment.link, passage: fragment.passage } : []
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
