import type { Block } from '../../ports/extractor'
import { contactKindsIn } from './contact-patterns'

/** Maximum length of a block that counts as a contact as a whole, and of a line that belongs to it. */
const maxBlockLength = 400
const maxNeighborLength = 60
/** Blocks before and after a contact that may be lines of the same address. */
const maxNeighbors = 4
/** Characters around a contact that are kept from a long text. */
const excerptLength = 300

export interface DividedBlocks {
  contacts: Block[]
  others: Block[]
}

type Heading = Extract<Block, { kind: 'heading' }>

/** Divides the text around a page's content into contacts, with their headings, and everything else. */
export function divideContacts(around: Block[], isAddress: (block: Block) => boolean): DividedBlocks {
  const divided: DividedBlocks = { contacts: [], others: [] }
  for (const section of sectionsOf(around)) divideSection(section, isAddress, divided)
  return divided
}

interface Section {
  headings: Heading[]
  blocks: Block[]
}

/** A section is the text up to the next heading. */
function sectionsOf(blocks: Block[]): Section[] {
  const sections: Section[] = [{ headings: [], blocks: [] }]
  let current = sections[0]
  for (const block of blocks) {
    if (block.kind === 'heading') {
      if (!current || current.blocks.length > 0) {
        current = { headings: [], blocks: [] }
        sections.push(current)
      }
      current.headings.push(block)
    } else current?.blocks.push(block)
  }
  return sections
}

function divideSection({ headings, blocks }: Section, isAddress: (block: Block) => boolean, into: DividedBlocks): void {
  const heading = headings.at(-1)?.text ?? ''
  const isContact = blocks.map((block) => isAddress(block) || contactKindsIn(block.text, heading).length > 0)
  if (!isContact.includes(true)) {
    into.others.push(...headings, ...blocks)
    return
  }
  const isIncluded = blocks.map(
    (_, index) => isContact[index] === true || (heading !== '' && isNextToContact(blocks, isContact, index)),
  )
  const others = blocks.filter((block, index) => !isIncluded[index] || block.text.length > maxBlockLength)
  // A contact further down is that of a footer, not of the section above it.
  const isHeaded = isIncluded[0] === true
  if (isHeaded) into.contacts.push(...headings)
  else into.others.push(...headings)
  into.contacts.push(...blocks.flatMap((block, index) => (isIncluded[index] ? excerptsOf(block, heading) : [])))
  into.others.push(...others)
}

/** Whether a short line has only such lines between itself and a contact: the name and the street above a telephone. */
function isNextToContact(blocks: Block[], isContact: boolean[], position: number): boolean {
  return [-1, 1].some((step) => {
    for (let distance = 0; distance <= maxNeighbors; distance++) {
      const block = blocks[position + step * distance]
      if (!block) return false
      if (isContact[position + step * distance]) return true
      if (!isShortLine(block)) return false
    }
    return false
  })
}

function isShortLine({ kind, text }: Block): boolean {
  return (
    kind !== 'image' && kind !== 'code' && text.length <= maxNeighborLength && !/©|\(c\)|copyright|[.!?]$/i.test(text)
  )
}

/** Returns the block; of a long text, only the lines with a contact. */
function excerptsOf(block: Block, heading: string): Block[] {
  if (block.text.length <= maxBlockLength) return [block]
  const lines = block.text.split('\n').flatMap((line) => (line.length > excerptLength ? sentencesOf(line) : [line]))
  const found = lines.filter((line) => contactKindsIn(line, heading).length > 0)
  return found.map((text) => ({
    kind: 'paragraph',
    text: text.slice(0, maxBlockLength).toWellFormed().trim(),
    anchor: null,
  }))
}

/** An abbreviation before a number ('Tel. 555') ends no sentence. */
function sentencesOf(line: string): string[] {
  return line.split(/(?<=[.!?])\s+(?=\p{Lu}\p{L}{2,})/u)
}
