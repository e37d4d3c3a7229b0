/** Runs the jobs of a data folder with a model until it is ended: embedding-process.ts <data folder> <model folder>. */
import { createTransformersEmbedder } from '../../../server/adapters/embedding/transformers'
import { createTestApp } from '../app'
import { chooseFolder } from './choose-folder'

const [dataDir = '', modelFolder = ''] = process.argv.slice(2)
// Not probed: that takes longer than all else.
const embedder = (name: string) =>
  createTransformersEmbedder({ modelFolder: chooseFolder(dataDir, name, modelFolder), threads: 1 })
const { app } = await createTestApp({ DATA_DIR: dataDir }, { embedder })
await app.startEmbedding()
process.stdout.write('embeds\n')
