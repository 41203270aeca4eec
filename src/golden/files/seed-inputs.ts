import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../../plain/message-of.ts'
import { GoldenError } from '../errors.ts'

/** The inputs of a seed: URLs of files or folders count by their content, strings by their value. */
export type SeedInput = string | URL

/** One line per input, the same on every machine: names relative to the golden, line ends as git may have changed them ignored. */
export function fingerprintInputs(golden: string, inputs: readonly SeedInput[]): string {
  const lines = inputs.flatMap((input) =>
    typeof input === 'string' ? `${hash(input)} text` : fileLines(golden, input),
  )
  return lines.map((line) => `${line}\n`).join('')
}

function fileLines(golden: string, input: URL): string[] {
  const path = fileURLToPath(input)
  try {
    return filesOf(path).map((file) => {
      const name = relative(dirname(golden), file).split(sep).join('/')
      return `${hash(withoutCarriageReturns(readFileSync(file)))} ${name}`
    })
  } catch (error) {
    throw new GoldenError('BAD_OPTION', `The seed's input ${path} cannot be read: ${messageOf(error)}.`, {
      cause: error,
    })
  }
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function withoutCarriageReturns(content: Buffer): string | Buffer {
  return content.includes(0) ? content : content.toString('latin1').replaceAll('\r\n', '\n')
}

const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex').slice(0, 32)
