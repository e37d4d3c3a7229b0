import type { WidgetOptions } from '../options'
import { button } from './answer'
import { element } from './markdown'
import type { Texts } from './texts'

interface ViewActions {
  submit(text: string, mode: 'ask' | 'search'): void
  stop(): void
  close(): void
  restart(): void
}

const maxQuestionLength = 2_048
const maxSuggestions = 3
/** Pixels from the end within which the view follows an answer. */
const nearEnd = 80

/** The panel's frame: heading, the two tabs, the conversation or the results, and the field. */
export function createView(options: WidgetOptions, texts: Texts, actions: ViewActions) {
  let logoAddress = options.logo
  const log = element('div')
  log.className = 'log'
  log.setAttribute('role', 'log')
  log.setAttribute('aria-live', 'polite')
  log.tabIndex = 0
  log.setAttribute('aria-label', texts.ask)
  const results = element('div')
  results.className = 'log'
  results.setAttribute('aria-live', 'polite')
  results.setAttribute('role', 'region')
  results.setAttribute('aria-label', texts.search)
  results.hidden = true
  const field = element('textarea')
  field.rows = 1
  field.dir = 'auto'
  field.maxLength = maxQuestionLength
  // No form: a sandboxed frame can forbid forms, and their events with them.
  const send = button('↑', submit)
  const line = element('div', field, send)
  line.className = 'line'
  const tabs = (['ask', 'search'] as const).map((mode) => {
    const tab = button(texts[mode], () => select(mode))
    tab.setAttribute('role', 'tab')
    return [mode, tab] as const
  })
  const tabList = element('div', ...tabs.map(([, tab]) => tab))
  tabList.className = 'tabs'
  tabList.setAttribute('role', 'tablist')
  tabList.addEventListener('keydown', ({ key }) => {
    const second = tabs.find(([name]) => name !== mode)
    if (!second || !/^Arrow(Left|Right)$/.test(key)) return
    select(second[0])
    second[1].focus()
  })
  const node = element('section', heading(), tabList, log, results, line)
  node.className = 'panel'
  node.dir = options.language === 'ar' ? 'rtl' : 'ltr'
  node.hidden = true
  node.lang = options.language
  node.setAttribute('role', options.mode === 'inline' ? 'region' : 'dialog')
  node.setAttribute('aria-label', options.title ?? texts.title)
  let mode: 'ask' | 'search' = 'ask'
  let isBusy = false
  select(mode)

  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    if (!isBusy) submit()
  })
  // The page must not react to what is typed here.
  for (const name of ['keydown', 'keyup', 'keypress'] as const) {
    node.addEventListener(name, (event) => {
      if (event.key === 'Escape' && name === 'keydown') actions.close()
      const opensSearch = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k'
      if (!opensSearch) event.stopPropagation()
    })
  }

  function submit(): void {
    const text = field.value.trim()
    if (isBusy) actions.stop()
    if (isBusy || text === '') return
    if (mode === 'ask') field.value = ''
    actions.submit(text, mode)
  }

  function heading(): HTMLElement {
    const title = element('div', element('h2', options.title ?? texts.title), element('small', texts.subtitle))
    const again = icon('+', texts.again, actions.restart)
    const close = icon('✕', texts.close, actions.close)
    return element('header', logo(), title, again, ...(options.mode === 'inline' ? [] : [close]))
  }

  /** The owner's picture, or the first letter of the title. */
  function logo(): HTMLElement {
    const mark = element('span', ([...(options.title ?? texts.title)][0] ?? '').toUpperCase())
    mark.className = 'logo'
    mark.setAttribute('aria-hidden', 'true')
    if (logoAddress !== null) show(mark, logoAddress)
    return mark
  }

  /** The letter stays where the picture cannot be loaded. */
  function show(mark: HTMLElement, address: string): void {
    const picture = element('img')
    picture.alt = ''
    picture.onload = () => mark.replaceChildren(picture)
    picture.src = address
  }

  function select(next: 'ask' | 'search'): void {
    mode = next
    for (const [name, tab] of tabs) {
      tab.setAttribute('aria-selected', String(name === mode))
      tab.tabIndex = name === mode ? 0 : -1
    }
    log.hidden = mode !== 'ask'
    results.hidden = mode !== 'search'
    const label = mode === 'ask' ? texts.askLabel : texts.searchLabel
    field.setAttribute('aria-label', label)
    field.placeholder = mode === 'ask' ? (options.placeholder ?? label) : label
    setBusy(isBusy)
  }

  function setBusy(busy: boolean): void {
    isBusy = busy
    send.textContent = busy ? '■' : '↑'
    send.setAttribute('aria-label', busy ? texts.stop : mode === 'ask' ? texts.send : texts.search)
    if (busy && mode === 'ask') log.setAttribute('aria-busy', 'true')
    else log.removeAttribute('aria-busy')
  }

  function add(...nodes: Node[]): void {
    log.append(...nodes)
    scrollToEnd()
  }

  function scrollToEnd(): void {
    log.scrollTop = log.scrollHeight
  }

  return {
    node,
    select,
    setBusy,
    add,
    addQuestion(text: string): HTMLElement {
      for (const old of log.querySelectorAll('.greeting,.refused,.next')) old.remove()
      node.classList.remove('empty')
      const question = element('div', text)
      question.dir = 'auto'
      question.className = 'me'
      add(question)
      return question
    },
    /** Puts a question back into the field, before what was written there meanwhile. */
    restoreDraft(question: string): void {
      field.value = field.value === '' ? question : `${question}\n${field.value}`
    },
    addAnswer: (answer: Node) => add(answer),
    showGreeting(): void {
      const greeting = element(
        'div',
        logo(),
        element('h2', options.greeting ?? texts.greeting),
        element('p', texts.proof),
      )
      greeting.className = 'greeting'
      node.classList.add('empty')
      log.append(greeting)
    },
    /** Offers questions in the empty conversation. */
    suggest(questions: string[], ask: (question: string) => void): void {
      if (!node.classList.contains('empty') || log.querySelector('.greeting .chips') || questions.length === 0) return
      log.querySelector('.greeting')?.append(chipsOf(questions, ask))
    },
    showLogo(address: string): void {
      logoAddress = address
      for (const mark of node.querySelectorAll<HTMLElement>('.logo')) show(mark, address)
    },
    addFollowUps(questions: string[], ask: (question: string) => void): void {
      if (questions.length === 0) return
      const next = chipsOf(questions, ask)
      next.classList.add('next')
      next.setAttribute('aria-label', texts.followUps)
      log.append(next)
    },
    showResults: (found: Node) => results.replaceChildren(found),
    /** Shows the end of the answer, unless the reader has scrolled up. */
    follow(): void {
      if (log.scrollHeight - log.scrollTop - log.clientHeight < nearEnd) scrollToEnd()
    },
    scrollToEnd,
    clear: () => log.replaceChildren(),
    focus: () => field.focus(),
  }
}

function chipsOf(questions: string[], ask: (question: string) => void): HTMLElement {
  const items = questions.slice(0, maxSuggestions).map((question) => {
    const chip = button(question, () => ask(question))
    chip.dir = 'auto'
    return element('li', chip)
  })
  const chips = element('ul', ...items)
  chips.className = 'chips'
  return chips
}

function icon(sign: string, label: string, act: () => void): HTMLButtonElement {
  const created = button(sign, act)
  created.className = 'icon'
  created.setAttribute('aria-label', label)
  return created
}
