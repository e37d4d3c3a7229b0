import { type NumberFormat, numberText } from './list-numbers'
import type { WordStyles } from './styles'

export interface ListLevel {
  start: number
  format: NumberFormat
  /** What stands in front of the paragraph, with %1 for the number of the first level. */
  text: string
  /** All numbers of it in Arabic figures. */
  legal: boolean
  /** Paragraphs of this style are on this level. */
  style: string
}

/** Levels of lists that are numbered alike. */
export interface ListForm {
  levels: (ListLevel | undefined)[]
  /** A style of lists that has the levels in its place. */
  link: string | null
}

/** A list that takes its levels from a form. */
export interface ListUse {
  list: string
  /** Where it starts anew, by level. */
  starts: (number | undefined)[]
  levels: (ListLevel | undefined)[]
}

export interface WordNumbering {
  /**
   * What stands in front of the next paragraph of a list ('4.2', '-' for a bullet), or null where nothing does. The
   * numbers go on from one paragraph to the next.
   */
  markOf(numId: string, level: number): string | null
  /** The level on which paragraphs of a style are. */
  levelOfStyle(numId: string, style: string): number
}

/** Of a file without lists. */
export const noNumbering: WordNumbering = { markOf: () => null, levelOfStyle: () => 0 }

/** Levels of a list. */
export const levelCount = 9
/** Characters of a mark. */
export const longestMark = 40

/** Counts the paragraphs of lists. */
export function createNumbering(
  lists: Map<string, ListForm>,
  uses: Map<string, ListUse>,
  styles: WordStyles,
): WordNumbering {
  /** Numbers of the levels, by list: uses of one list go on with its numbers. */
  const counts = new Map<string, (number | undefined)[]>()
  const started = new Set<string>()

  function levelOf(use: ListUse, place: number): ListLevel | undefined {
    return use.levels[place] ?? listOf(use)?.levels[place]
  }

  function listOf(use: ListUse): ListForm | undefined {
    const list = lists.get(use.list)
    if (!list || list.link === null) return list
    return lists.get(uses.get(styles.of(list.link).numId ?? '')?.list ?? '')
  }

  function count(numId: string, use: ListUse, place: number): (number | undefined)[] {
    const numbers = counts.get(use.list) ?? []
    counts.set(use.list, numbers)
    const start = use.starts[place]
    const key = `${place} ${numId}`
    if (start !== undefined && !started.has(key)) {
      started.add(key)
      numbers[place] = start
    } else {
      numbers[place] = (numbers[place] ?? (levelOf(use, place)?.start ?? 1) - 1) + 1
    }
    numbers.length = place + 1
    return numbers
  }

  return {
    markOf(numId, level) {
      const use = uses.get(numId)
      const place = Math.min(level, levelCount - 1)
      const own = use && levelOf(use, place)
      if (!use || !own) return null
      const numbers = count(numId, use, place)
      if (own.format === 'bullet') return '-'
      const mark = own.text.replace(/%([1-9])/g, (_, digit: string) => {
        const of = levelOf(use, Number(digit) - 1)
        const number = numbers[Number(digit) - 1] ?? of?.start ?? 1
        return numberText(number, own.legal && of?.format !== 'none' ? 'decimal' : (of?.format ?? 'decimal'))
      })
      return mark.trim().slice(0, longestMark) || null
    },
    levelOfStyle(numId, style) {
      const use = uses.get(numId)
      if (!use) return 0
      for (let place = 0; place < levelCount; place++) if (levelOf(use, place)?.style === style) return place
      return 0
    },
  }
}
