import { fileLimits } from '../../limits'
import type { Block } from '../../ports'

/** Blocks in the order of a text, while it is read. */
export interface BlockFlow {
  put(block: Block): void
  /** Items that follow one another are one list; those of a lower level are indented. */
  putItem(text: string, level: number): void
  /** The next item starts a list of its own. */
  endList(): void
  /** Blocks that will not grow any more, each handed out once. */
  take(): Block[]
  /** All that are left. */
  takeAll(): Block[]
  /** Characters that were put in and not handed out. */
  size(): number
}

export function createBlockFlow(): BlockFlow {
  const longest = fileLimits.word.blockCharacters
  let blocks: Block[] = []
  let list: { lines: string[]; size: number; firstLevel: number } | null = null
  let size = 0

  function put(block: Block): void {
    endList()
    if (block.text === '') return
    size += block.text.length
    if (block.text.length <= longest || block.kind === 'heading') blocks.push(block)
    else for (const part of cut(block, longest)) blocks.push(part)
  }

  function endList(): void {
    if (list === null) return
    const text = list.lines.join('\n')
    list = null
    put({ kind: 'list', text, anchor: null })
  }

  return {
    put,
    putItem(text, level) {
      if (list && list.size > longest / 2) endList()
      list ??= { lines: [], size: 0, firstLevel: level }
      list.lines.push('  '.repeat(Math.max(level - list.firstLevel, 0)) + text)
      list.size += text.length
    },
    endList,
    take() {
      const taken = blocks
      blocks = []
      size = 0
      return taken
    },
    takeAll() {
      endList()
      return this.take()
    },
    size: () => size,
  }
}

/** A block as several, each ending at the end of a line or a word where there is one. */
function cut<Cut extends Block>(block: Cut, longest: number): Cut[] {
  const parts: Cut[] = []
  for (let at = 0; at < block.text.length; ) {
    let end = at + longest
    if (end < block.text.length) {
      const gap = Math.max(block.text.lastIndexOf('\n', end), block.text.lastIndexOf(' ', end))
      if (gap > at) end = gap + 1
    }
    const text = block.text.slice(at, end).trim()
    if (text) parts.push({ ...block, text })
    at = end
  }
  return parts
}
