/** A field of a protocol buffer: a number as a varint, text or bytes with their length. */
type Field = [number: number, value: number | string | Uint8Array]

const int64 = 7
const float = 1
// Types of attributes.
const integer = 2
const integers = 7
/** Where the numbers of a tensor are: in another file. */
const external = 1

export interface TinyOnnxOptions {
  /** Name of the result that is the mean of the rows; without it, the result is the rows. */
  pooledAs?: 'sentence_embedding' | 'logits'
  /** Name of a file that has the numbers, as those of models above 2 GB; it must be written beside the model. */
  dataFile?: string
}

/**
 * The smallest model there is, in the ONNX format: it has one input, `input_ids`, and gives each piece the row of `table`
 * that has its number. With `pooledAs`, its result is their mean.
 */
export function tinyOnnx(table: Float32Array, dimensions: number, options: TinyOnnxOptions = {}): Buffer {
  const { pooledAs, dataFile } = options
  const rows = table.length / dimensions
  const bytes = new Uint8Array(table.buffer, table.byteOffset, table.byteLength)
  const numbers: Field[] =
    dataFile === undefined
      ? [[9, bytes]]
      : [
          [13, message([1, 'location'], [2, dataFile])],
          [14, external],
        ]
  const weights = message([1, rows], [1, dimensions], [2, float], [8, 'table'], ...numbers)
  const node = message([1, 'table'], [1, 'input_ids'], [2, 'last_hidden_state'], [4, 'Gather'])
  const input = value('input_ids', int64, ['batch', 'pieces'])
  const output = value('last_hidden_state', float, ['batch', 'pieces', dimensions])
  const pooled = value(pooledAs ?? '', float, ['batch', dimensions])
  const graph = message(
    [1, node],
    ...(pooledAs ? [[1, mean('last_hidden_state', pooledAs, 1, false)] satisfies Field] : []),
    [2, 'tiny'],
    [5, weights],
    [11, input],
    [12, pooledAs ? pooled : output],
  )
  return message([1, 8], [7, graph], [8, message([2, 13])])
}

/** What makes the mean of a result of three dimensions another result, if it follows the bytes of a model. */
export function averages(result: string, name: string): Buffer {
  const rows = `${result} of a row`
  const nodes = [mean(result, rows, 2, true), mean(rows, name, 1, false)]
  const output = value(name, float, ['batch', 1])
  return message([7, message(...nodes.map((node): Field => [1, node]), [12, output])])
}

/** Without `keeps`, the dimension is gone. */
function mean(input: string, output: string, axis: number, keeps: boolean): Buffer {
  return message(
    [1, input],
    [2, output],
    [4, 'ReduceMean'],
    [5, message([1, 'axes'], [8, axis], [20, integers])],
    [5, message([1, 'keepdims'], [3, Number(keeps)], [20, integer])],
  )
}

function value(name: string, type: number, shape: (string | number)[]): Uint8Array {
  const sizes = shape.map((size) => message(typeof size === 'number' ? [1, size] : [2, size]))
  const tensor = message([1, type], [2, message(...sizes.map((size): Field => [1, size]))])
  return message([1, name], [2, message([1, tensor])])
}

function message(...fields: Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number') return [varint(number << 3), varint(value)]
      const bytes = Buffer.from(value)
      return [varint((number << 3) | 2), varint(bytes.length), bytes]
    }),
  )
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128)
    if (left < 128) return Buffer.from(bytes)
  }
}
