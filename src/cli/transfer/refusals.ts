import { quote } from '../../core/errors.ts'
import { report } from '../command/run-command.ts'
import type { Conflict } from './import-sessions.ts'
import type { DamagedPart } from './read-transfer.ts'

/** What was not imported from a file, and why; `session` is `null` if its session is unknown. */
export interface Refusal {
  readonly line: number
  readonly session: string | null
  readonly reason: string
}

/** How many are printed; JSON has them all. */
const mostTold = 20

export class Refusals {
  readonly list: Refusal[] = []
  readonly #file: string
  readonly #sentences: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  addDamage({ damage, line, session }: DamagedPart): void {
    const whose = session === null ? '' : `; session ${quote(session)} was not imported`
    this.#add({ line, session, reason: damage }, `${damage}${whose}`)
  }

  addConflict({ line, session, reason }: Conflict): void {
    this.#add(
      { line, session, reason },
      `session ${quote(session)} at line ${line} ${reason} and was left unchanged; pass --replace to overwrite it from the file`,
    )
  }

  tell(): void {
    for (const sentence of this.#sentences) report(`${this.#file}: ${sentence}`, false)
    const more = this.list.length - this.#sentences.length
    if (more > 0) report(`${this.#file}: ${more.toLocaleString('en')} more were not imported; --json lists them`, false)
  }

  #add(refusal: Refusal, sentence: string): void {
    this.list.push(refusal)
    if (this.#sentences.length < mostTold) this.#sentences.push(sentence)
  }
}
