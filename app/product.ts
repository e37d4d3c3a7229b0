export const product = {
  name: 'Sitelore',
  description: 'Turns a website into a vector database with search and AI agents that name their sources.',
} as const
