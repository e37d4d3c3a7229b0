import { fileLimits } from '../../limits'
import type { Block } from '../../ports/extractor'

/** Collects the blocks of a text while it is read. */
export interface BlockFlow {
  add(block: Block): void
  /** Adds an item to the current list, or starts one; items of deeper levels are indented. */
  addItem(text: string, level: number): void
  /** Ends the current list. */
  endList(): void
  /** Removes and returns the finished blocks. */
  drain(): Block[]
  /** Ends the current list, then removes and returns all blocks. */
  flush(): Block[]
  /** Characters added since the last drain. */
  size(): number
}

export function createBlockFlow(): BlockFlow {
  const maxLength = fileLimits.word.blockCharacters
  let blocks: Block[] = []
  let list: { lines: string[]; size: number; firstLevel: number } | null = null
  let size = 0

  function add(block: Block): void {
    endList()
    if (block.text === '') return
    size += block.text.length
    if (block.text.length <= maxLength || block.kind === 'heading') blocks.push(block)
    else for (const part of split(block, maxLength)) blocks.push(part)
  }

  function endList(): void {
    if (list === null) return
    const text = list.lines.join('\n')
    list = null
    add({ kind: 'list', text, anchor: null })
  }

  return {
    add,
    addItem(text, level) {
      if (list && list.size > maxLength / 2) endList()
      list ??= { lines: [], size: 0, firstLevel: level }
      list.lines.push('  '.repeat(Math.max(level - list.firstLevel, 0)) + text)
      list.size += text.length
    },
    endList,
    drain() {
      const drained = blocks
      blocks = []
      size = 0
      return drained
    },
    flush() {
      endList()
      return this.drain()
    },
    size: () => size,
  }
}

/** Splits a block into several, at the ends of lines or words if possible. */
function split<Cut extends Block>(block: Cut, maxLength: number): Cut[] {
  const parts: Cut[] = []
  for (let index = 0; index < block.text.length; ) {
    let end = index + maxLength
    if (end < block.text.length) {
      const gap = Math.max(block.text.lastIndexOf('\n', end), block.text.lastIndexOf(' ', end))
      if (gap > index) end = gap + 1
    }
    const text = block.text.slice(index, end).trim()
    if (text) parts.push({ ...block, text })
    index = end
  }
  return parts
}
