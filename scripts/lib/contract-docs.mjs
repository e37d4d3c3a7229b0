// Renders docs/contract.md and docs/texts.md from the tags of the tests, comments directly before a test:
//   // contract 2m.20: Agent: behaviour, API safety, provider
//   // contract 2d.3, 6.1: Only platform admins see the Admin Panel link
//   // texts Landing page: `Log In`, `Create an account`
// A tag of the first kind names an item of the specification and what the test shows of it; one of the second kind names
// where the product shows texts of the specification.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** @typedef {{ item: string, claim: string, file: string, title: string }} Claim */
/** @typedef {{ where: string, text: string, file: string }} ShownText */

/** @type {[title: string, item: RegExp][]} */
const ITEM_SECTIONS = [
  ['What the product does (section 1)', /^1\./],
  ['Screens and routes (section 2)', /^2[a-l]\./],
  ['Admin area (section 2)', /^2m\./],
  ['Entities and enumerations (section 3)', /^3/],
  ['States (section 4)', /^4\./],
  ['Validation (section 5)', /^5\./],
  ['Roles (section 6)', /^6\./],
  ['Calls (section 7)', /^7/],
  ['Errors and successes (section 8)', /^8/],
  ['Constants (section 9)', /^9\./],
  ['Readings of the specification', /^[A-Z]/],
]

/** @type {[title: string, places: string[]][]} */
const TEXT_SECTIONS = [
  [
    'Screens (section 2)',
    [
      'Landing page',
      'Shell',
      'Lists',
      'Collection',
      'Organization',
      'Agent',
      'Chat',
      'Threads',
      'Admin overview',
      'Admin lists',
      'Admin details',
      'Onboarding',
    ],
  ],
  ['Validation (section 5)', ['Sources', 'Forms']],
  [
    'Errors and successes (section 8)',
    [
      'Identity and session',
      'Answers that fail',
      'Mutations',
      'Collections and sources',
      'Agents, organization, threads',
      'Success',
    ],
  ],
]

/** All test files, sorted. */
function testFiles() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx'])
  return listed.toString().split('\n').filter(Boolean).sort()
}

/** @returns {{ claims: Claim[], texts: ShownText[], problems: string[] }} */
export function readTags() {
  /** @type {Claim[]} */
  const claims = []
  /** @type {ShownText[]} */
  const texts = []
  /** @type {string[]} */
  const problems = []
  for (const file of testFiles()) {
    const code = readFileSync(file, 'utf8')
    if (!/^\s*\/\/ (contract|texts) /m.test(code)) continue
    let read = 0
    const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
    const visit = (/** @type {ts.Node} */ node) => {
      if (ts.isExpressionStatement(node)) for (const tag of tagsBefore(node, code)) readTag(tag, node)
      ts.forEachChild(node, visit)
    }
    const readTag = (/** @type {string} */ tag, /** @type {ts.ExpressionStatement} */ statement) => {
      read += 1
      const [, kind, name = '', rest = ''] = /^(contract|texts) ([^:]+): (.+)$/.exec(tag) ?? []
      const title = titleOf(statement.expression)
      if (kind === 'contract' && title)
        claims.push(...name.split(', ').map((item) => ({ item, claim: rest, file, title })))
      else if (kind === 'texts') {
        const shown = unescaped(codeOfTest(source, statement, code))
        for (const [, text = ''] of rest.matchAll(/`([^`]+)`/g)) {
          if (!shown.includes(text)) problems.push(`${file}: the test after a tag does not contain ${text}`)
          texts.push({ where: name, text, file })
        }
      } else problems.push(`${file}: this tag stands before no test, or is not well-formed: ${tag}`)
    }
    visit(source)
    const written = code.match(/^\s*\/\/ (contract|texts) /gm)?.length ?? 0
    if (written !== read) problems.push(`${file}: ${written - read} tags stand before no statement`)
  }
  return { claims, texts, problems }
}

/** The tags in the comments directly before a statement. */
function tagsBefore(/** @type {ts.Node} */ node, /** @type {string} */ code) {
  const comments = ts.getLeadingCommentRanges(code, node.getFullStart()) ?? []
  return comments
    .map(({ pos, end }) => code.slice(pos, end).replace(/^\/\/ /, ''))
    .filter((text) => /^(contract|texts) /.test(text))
}

/** The title of a test: the first text that it, test, describe or what their `each` returns is called with. */
function titleOf(/** @type {ts.Expression} */ expression) {
  if (!ts.isCallExpression(expression)) return ''
  const [title] = expression.arguments
  return title && ts.isStringLiteralLike(title) ? title.text : ''
}

/** The code of a test, with the constants and helpers of its file: all of the file but its other tests. */
function codeOfTest(
  /** @type {ts.SourceFile} */ source,
  /** @type {ts.ExpressionStatement} */ test,
  /** @type {string} */ code,
) {
  let rest = code
  const visit = (/** @type {ts.Node} */ node) => {
    if (node !== test && ts.isExpressionStatement(node) && /^(it|test)\b/.test(node.getText())) {
      rest = rest.slice(0, node.getStart()) + ' '.repeat(node.getWidth()) + rest.slice(node.getEnd())
    } else ts.forEachChild(node, visit)
  }
  visit(source)
  return rest.replaceAll(/^\s*\/\/ texts .*$/gm, '')
}

function unescaped(/** @type {string} */ code) {
  return code.replaceAll("\\'", "'")
}

/** Compares items as a reader expects it: 2a.3 before 2a.12. */
const collator = new Intl.Collator('en', { numeric: true })

export function contractPage(/** @type {Claim[]} */ claims) {
  const sections = ITEM_SECTIONS.map(([title, pattern]) => {
    const rows = claims.filter(({ item }) => pattern.test(item))
    const sorted = rows.sort((a, b) => collator.compare(a.item, b.item) || collator.compare(a.claim, b.claim))
    const lines = sorted.map(({ item, claim, file, title: test }) => `| ${item} | ${claim} | ${file} | ${test} |`)
    return [`## ${title}`, '', '| Item | Contract | Test | Title |', '|---|---|---|---|', ...lines, ''].join('\n')
  })
  const lead =
    'Parts of the specification, each with the test that shows that the product keeps it. Generated from the tags of the tests: `npm run docs`.'
  return ['# The contract', '', lead, '', ...sections].join('\n')
}

export function textsPage(/** @type {ShownText[]} */ texts) {
  const sections = TEXT_SECTIONS.map(([title, places]) => {
    const lines = places.flatMap((place) =>
      texts.filter(({ where }) => where === place).map(({ text, file }) => `| ${place} | \`${text}\` | ${file} |`),
    )
    return [`## ${title}`, '', '| Where | Text | Test |', '|---|---|---|', ...lines, ''].join('\n')
  })
  const lead =
    'Each text of sections 2, 5 and 8 of the specification, with the test that renders the state in which it appears. Generated from the tags of the tests: `npm run docs`. Change a text only together with the specification.'
  return ['# Texts of the contract', '', lead, '', ...sections].join('\n')
}

/** Tags that no section has. */
export function strayTags(/** @type {Claim[]} */ claims, /** @type {ShownText[]} */ texts) {
  const places = TEXT_SECTIONS.flatMap(([, names]) => names)
  return [
    ...claims.filter(({ item }) => !ITEM_SECTIONS.some(([, pattern]) => pattern.test(item))).map(({ item }) => item),
    ...texts.filter(({ where }) => !places.includes(where)).map(({ where }) => where),
  ]
}
