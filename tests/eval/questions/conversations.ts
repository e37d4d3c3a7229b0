import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agentDefaults } from '../../../contract/values/limits'
import { createAnswerReader } from '../../../server/engine/answering/answer-reader'
import { buildPrompt, type Turn } from '../../../server/engine/answering/prompt'
import { searchQueryFor } from '../../../server/engine/answering/search-query'
import { search } from '../../../server/engine/search/hybrid-search'
import { answerFrom } from '../../support/providers/provider-answer'
import { type Judged, type Scores, score } from '../metrics'
import { type EvalFragment, proseFragments } from '../sets/set-fragments'
import { indexSet, type SetIndex } from '../sets/set-index'
import type { Tools } from '../tools'

interface ConversationTurn {
  question: string
  history: { speaker: 'user' | 'agent'; text: string }[]
  /** As the set writes it: ANSWERABLE, PARTIAL, UNDERSPECIFIED, UNANSWERABLE. */
  answerability: string
  /** Ids of the passages that answer. */
  passages: string[]
}

const pages = 10

/** Measures which query finds the answer to a question in a conversation, and the verdicts of a scripted model. */
export async function measureConversations(root: string, tools: Tools): Promise<void> {
  const folder = join(root, 'conversations')
  if (!existsSync(folder)) return console.log(`The conversations are left out: they are not in ${root}.`)
  const passages = linesOf<{ id: string; title: string; text: string }>(join(folder, 'passages.jsonl'))
  const turns = linesOf<ConversationTurn>(join(folder, 'turns.jsonl'))
  const set = await indexSet(proseFragments(passages, tools.tokenizer), tools)
  const answered = turns.filter((turn) => turn.passages.length > 0)
  console.log(`${passages.length} passages, ${turns.length} questions, ${answered.length} of them with an answer.`)
  const rules = {
    'the last question alone': ({ question }: ConversationTurn) => question,
    'with the question before': (turn: ConversationTurn) => searchQueryFor(turn.question, historyOf(turn)),
  }
  for (const [name, rule] of Object.entries(rules)) {
    const all = await scored(set, answered, rule)
    const followUps = await scored(
      set,
      answered.filter(({ history }) => history.length > 0),
      rule,
    )
    console.log(`${name.padEnd(26)} ${figuresOf(all)}; follow-ups only: ${figuresOf(followUps)}`)
  }
  await printVerdicts(set, turns)
  await set.close()
}

async function scored(
  set: SetIndex,
  turns: ConversationTurn[],
  rule: (turn: ConversationTurn) => string,
): Promise<Scores> {
  const judged: Judged[] = []
  for (const turn of turns) {
    const request = { collectionId: set.collectionId, query: rule(turn), limit: pages, threshold: 0, maxPerAddress: 1 }
    const { hits } = await search(set.index, request)
    judged.push({ found: hits.map(({ fragment }) => fragment.addressId), gold: new Set(turn.passages) })
  }
  return score(judged)
}

/** The model of the tests answers with the sentence of a fragment that shares most words with the question. */
async function printVerdicts(set: SetIndex, turns: ConversationTurn[]): Promise<void> {
  const counts = new Map<string, Record<string, number>>()
  for (const turn of turns) {
    const verdict = await verdictOf(set, turn)
    const row = counts.get(turn.answerability) ?? {}
    counts.set(turn.answerability, { ...row, [verdict]: (row[verdict] ?? 0) + 1 })
  }
  for (const [answerability, row] of [...counts].sort()) {
    const verdicts = Object.entries(row)
      .sort()
      .map(([verdict, count]) => `${verdict} ${count}`)
    console.log(`${answerability.padEnd(26)} ${verdicts.join(', ')}`)
  }
}

async function verdictOf({ index, collectionId }: SetIndex, turn: ConversationTurn): Promise<string> {
  const { fragmentLimit: limit, fragmentSimilarity: threshold, historyLimit } = agentDefaults
  const history = historyOf(turn)
  const { hits } = await search(index, {
    collectionId,
    query: searchQueryFor(turn.question, history),
    limit,
    threshold,
  })
  if (hits.length === 0) return 'nothing found'
  const found = hits.map(({ fragment, similarity }) => viewOf(fragment, similarity))
  const prompt = buildPrompt({ system: null, fragments: found, history, historyLimit, question: turn.question })
  const reader = createAnswerReader(prompt.fragments.map(({ link }) => link))
  reader.push(answerFrom(prompt.messages))
  reader.end()
  return reader.verdict ?? 'none'
}

function viewOf({ addressId: id, title, text: content }: EvalFragment, score: number) {
  const link = `https://passages.example/${encodeURIComponent(id)}`
  return { id, score, url: link, link, title, headings: [], content }
}

function historyOf({ history }: ConversationTurn): Turn[] {
  return history.map(({ speaker, text }) => ({ role: speaker === 'user' ? 'user' : 'assistant', content: text }))
}

function figuresOf({ ndcg10, recall5, mrr10 }: Scores): string {
  return `nDCG@10 ${ndcg10.toFixed(3)}, recall@5 ${recall5.toFixed(3)}, MRR@10 ${mrr10.toFixed(3)}`
}

function linesOf<Line>(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Line)
}
