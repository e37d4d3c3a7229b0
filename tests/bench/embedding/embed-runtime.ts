import { basename, dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { AutoModel, env, Tensor } from '@huggingface/transformers'

/** A thread that runs the bare runtime on prepared tokens: no tokenizer, no pooling, no queue. */
const { modelFolder } = workerData as { modelFolder: string }
env.allowRemoteModels = false
env.localModelPath = dirname(modelFolder)
const model = await AutoModel.from_pretrained(basename(modelFolder), {
  dtype: 'q8',
  device: 'cpu',
  session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
})
const session = (model as unknown as { sessions: { model: { run(feeds: object): Promise<unknown> } } }).sessions.model

parentPort?.on('message', async (work: { passages: number; tokens: number } | 'close') => {
  if (work === 'close') {
    await model.dispose()
    return parentPort?.close()
  }
  const { passages, tokens } = work
  const shape = [1, tokens]
  const ids = BigInt64Array.from({ length: tokens }, (_, n) =>
    BigInt(n === 0 ? 101 : n === tokens - 1 ? 102 : 2000 + n),
  )
  const feeds = Object.fromEntries(
    Object.entries({
      input_ids: ids,
      attention_mask: new BigInt64Array(tokens).fill(1n),
      token_type_ids: new BigInt64Array(tokens),
    }).map(([name, values]) => [
      name,
      (new Tensor('int64', values, shape) as unknown as { ort_tensor: object }).ort_tensor,
    ]),
  )
  for (let n = 0; n < passages; n++) await session.run(feeds)
  parentPort?.postMessage('done')
})
parentPort?.postMessage('ready')
