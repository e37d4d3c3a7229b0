import { agentDefaults } from '../../../contract/values/limits'
import type { FragmentView } from '../../../contract/views/chat/fragment'
import type { ChatModel } from '../../../server/engine/ports/chat-model'
import { search } from '../../../server/engine/search/hybrid-search'
import { findEvidence } from '../../../server/services/chat/evidence'
import { createTranslateQuestion } from '../../../server/services/search/translate-question'
import { score } from '../metrics'
import { readSet } from '../sets/set-fragments'
import { indexSet, type SetIndex } from '../sets/set-index'
import { type Question, sets } from '../sets/sets'
import type { Tools } from '../tools'

const found = 5

/**
 * Measures English questions over texts in other languages: alone, and with a translation by a model whose dictionary are the
 * parallel questions of the set; next to the questions in the language of the texts.
 */
export async function measureTranslation(tools: Tools): Promise<void> {
  const english = questionsOf('xquad-en', tools)
  for (const name of ['xquad-de', 'xquad-es', 'xquad-ru']) {
    const place = sets.find((set) => set.name === name)
    const set = place && readSet(place, tools.folders, tools.tokenizer)
    if (!place || !set || typeof set === 'string' || !english) {
      console.log(`${name} is left out: ${typeof set === 'string' ? set : 'there is no such set'}.`)
      continue
    }
    const index = await indexSet(set.fragments, tools)
    const parallel = new Map(set.questions.map((question) => [question.id, question]))
    const asked = english.flatMap((question) => {
      const same = parallel.get(question.id)
      return same ? [{ ...question, gold: same.gold, translation: same.text }] : []
    })
    const own = await recall(index, set.questions, async () => null)
    const alone = await recall(index, asked, async () => null)
    let translated = 0
    const both = await recall(index, asked, async (question) => {
      const query = await translate(
        question,
        place.language,
        new Map(asked.map((item) => [item.text, item.translation])),
      )
      if (query !== null) translated++
      return query
    })
    await index.close()
    console.log(
      `${place.label}: recall@${found} of its own ${set.questions.length} questions ${own.toFixed(3)}; of the English ones ${alone.toFixed(3)}, with a translation ${both.toFixed(3)} (${translated} of ${asked.length} were translated)`,
    )
  }
}

function questionsOf(name: string, { folders, tokenizer }: Tools): Question[] | null {
  const place = sets.find((set) => set.name === name)
  const set = place && readSet(place, folders, tokenizer)
  return set && typeof set !== 'string' ? set.questions : null
}

/** By the product, with the dictionary in place of a provider. */
async function translate(
  question: string,
  language: string,
  dictionary: ReadonlyMap<string, string>,
): Promise<string | null> {
  const model: ChatModel = {
    async *stream() {
      yield { kind: 'text', text: dictionary.get(question) ?? '' }
      yield { kind: 'end', stopReason: 'complete', tokensInput: null, tokensOutput: null, responseId: null }
    },
  }
  const translateQuestion = createTranslateQuestion({
    models: { openai: model, anthropic: model, gemini: model, deepseek: model },
    languagesOf: async () => ({ frequent: [language], main: language, unknownToModel: null }),
    embedding: { isMultilingual: async () => false },
    log: console,
  })
  const request = { agentId: '', provider: 'openai', model: '', apiKey: null, translatesQuestions: true } as const
  const asked = { collectionId: '', question, history: [], preferredLanguage: null }
  return (await translateQuestion({ ...request, ...asked }, new AbortController().signal))?.query ?? null
}

/** Share of the questions whose page is among the fragments that an agent would get. */
async function recall(
  { index, collectionId }: SetIndex,
  questions: Question[],
  translationOf: (question: string) => Promise<string | null>,
): Promise<number> {
  const judged = []
  for (const { text, gold } of questions) {
    const evidence = await findEvidence(
      {
        find: async (_, request) => {
          const nothing = { closest: [], dropped: [], nearest: [], isReranked: false }
          return { ...(await fragmentsFor(request)), ...nothing }
        },
      },
      {
        organizationId: '',
        collectionId,
        query: text,
        translatedQuery: await translationOf(text),
        fragmentLimit: found,
        similarity: agentDefaults.fragmentSimilarity,
        preferredLanguage: null,
      },
      new AbortController().signal,
    )
    judged.push({ found: [...new Set(evidence.fragments.map(({ id }) => id))], gold })
  }
  return score(judged).recall5

  async function fragmentsFor({
    query,
    limit = found,
    threshold = 0,
  }: {
    query: string
    limit?: number
    threshold?: number
  }) {
    const { hits } = await search(index, { collectionId, query, limit, threshold, maxPerAddress: 1 })
    return {
      fragments: hits.map(({ fragment: { addressId: id, title, text: content }, similarity }): FragmentView => {
        return { id, score: similarity, url: id, link: id, title, headings: [], content }
      }),
    }
  }
}
