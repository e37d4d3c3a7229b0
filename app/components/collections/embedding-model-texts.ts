import type { EmbeddingModelView, ModelChangeView, ModelChoice } from '../../../contract/views/embedding-model'
import { languageName } from '../addresses/language-name'
import { formatCount, formatDuration } from '../ui/format'

/** A model of the catalogue for those who have only the one that ships. */
const multilingualModel = 'intfloat/multilingual-e5-small'

export function languagesLine({ languages, is_service: isService }: Omit<ModelChoice, 'name'>): string {
  if (isService) return 'A service: the texts and the questions are sent to it'
  return languages ?? 'Languages unknown'
}

/** 'Building the index of bge-m3: 3,100 of 20,113 fragments · about 7 min left'. */
export function modelChangeLine({ model, state, done, total, seconds_left: seconds }: ModelChangeView): string {
  if (state === 'removing') return 'Removing the vectors that searches no longer read'
  const progress = `Building the index of ${model}: ${formatCount(done)} of ${formatCount(total)} fragments`
  if (state === 'paused') return `${progress} · paused`
  return seconds === null ? progress : `${progress} · about ${formatDuration(seconds)} left`
}

/** What to do where the model does not know the language of a collection; null where it does. */
export function weakLanguageAdvice({ weak_language: language, choices, change }: EmbeddingModelView): {
  title: string
  /** Installs a multilingual model; null if there is one. */
  command: string | null
} | null {
  if (language === null || change) return null
  const hasMultilingual = choices.some((choice) => choice.is_multilingual)
  return {
    title: `Semantic search is weak for ${languageName(language)} with this model. Choose a multilingual model.`,
    command: hasMultilingual ? null : `sitelore models pull ${multilingualModel}`,
  }
}
