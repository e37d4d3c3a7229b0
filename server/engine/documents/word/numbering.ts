import { type NumberFormat, numberText } from './list-numbers'
import type { WordStyles } from './styles'

export interface ListLevel {
  start: number
  format: NumberFormat
  /** The marker before the paragraph, with %1 for the number of the first level. */
  text: string
  /** Shows the numbers of all levels as decimal. */
  legal: boolean
  /** Paragraphs of this style are on this level. */
  style: string
}

/** A list definition (w:abstractNum, LSTF): the levels that lists share. */
export interface ListDefinition {
  levels: (ListLevel | undefined)[]
  /** A list style that has the levels instead. */
  link: string | null
}

/** A list (w:num, LFO) that refers to a definition and may override it. */
export interface ListInstance {
  definition: string
  /** Start overrides by level. */
  starts: (number | undefined)[]
  levels: (ListLevel | undefined)[]
}

export interface WordNumbering {
  /**
   * Returns the marker of the next paragraph of a list ('4.2', '-' for a bullet), or null without one. Numbers continue
   * from one paragraph to the next.
   */
  markerOf(numId: string, level: number): string | null
  /** Returns the level of paragraphs with a style. */
  levelOfStyle(numId: string, style: string): number
}

/** The numbering of a file without lists. */
export const noNumbering: WordNumbering = { markerOf: () => null, levelOfStyle: () => 0 }

export const levelCount = 9
/** Characters of a marker. */
export const maxMarkerLength = 40

/** Numbers the paragraphs of lists. */
export function createNumbering(
  lists: Map<string, ListDefinition>,
  instances: Map<string, ListInstance>,
  styles: WordStyles,
): WordNumbering {
  /** Numbers of the levels by definition: lists with the same definition continue one another. */
  const counts = new Map<string, (number | undefined)[]>()
  const started = new Set<string>()

  function levelOf(instance: ListInstance, index: number): ListLevel | undefined {
    return instance.levels[index] ?? definitionOf(instance)?.levels[index]
  }

  function definitionOf(instance: ListInstance): ListDefinition | undefined {
    const definition = lists.get(instance.definition)
    if (!definition || definition.link === null) return definition
    return lists.get(instances.get(styles.of(definition.link).numId ?? '')?.definition ?? '')
  }

  function count(numId: string, instance: ListInstance, index: number): (number | undefined)[] {
    const numbers = counts.get(instance.definition) ?? []
    counts.set(instance.definition, numbers)
    const start = instance.starts[index]
    const key = `${index} ${numId}`
    if (start !== undefined && !started.has(key)) {
      started.add(key)
      numbers[index] = start
    } else {
      numbers[index] = (numbers[index] ?? (levelOf(instance, index)?.start ?? 1) - 1) + 1
    }
    numbers.length = index + 1
    return numbers
  }

  return {
    markerOf(numId, level) {
      const instance = instances.get(numId)
      const index = Math.min(level, levelCount - 1)
      const own = instance && levelOf(instance, index)
      if (!instance || !own) return null
      const numbers = count(numId, instance, index)
      if (own.format === 'bullet') return '-'
      const mark = own.text.replace(/%([1-9])/g, (_, digit: string) => {
        const of = levelOf(instance, Number(digit) - 1)
        const number = numbers[Number(digit) - 1] ?? of?.start ?? 1
        return numberText(number, own.legal && of?.format !== 'none' ? 'decimal' : (of?.format ?? 'decimal'))
      })
      return mark.trim().slice(0, maxMarkerLength) || null
    },
    levelOfStyle(numId, style) {
      const instance = instances.get(numId)
      if (!instance) return 0
      for (let index = 0; index < levelCount; index++) if (levelOf(instance, index)?.style === style) return index
      return 0
    },
  }
}
