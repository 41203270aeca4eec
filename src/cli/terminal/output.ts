import { type Column, renderFields, renderTable } from './table.ts'
import { visibleJson } from './visible-json.ts'

/** The reader of the output is gone, as with `head`: not an error, and nothing more to do. */
export class OutputClosed extends Error {}

const styles = { bold: '1', dim: '2', red: '31', green: '32', cyan: '36' } as const
export type Style = keyof typeof styles

/** Where a command writes: results to stdout, everything else to stderr. */
export class Output {
  readonly isTerminal = process.stdout.isTTY === true
  readonly #colored = this.isTerminal && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'

  get width(): number {
    return Math.max(20, process.stdout.columns || 80)
  }

  paint(style: Style, text: string): string {
    return this.#colored ? `\x1b[${styles[style]}m${text}\x1b[0m` : text
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => {
        if (!error) resolve()
        else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new OutputClosed() : error)
      })
    })
  }

  line(text: string): Promise<void> {
    return this.write(`${text}\n`)
  }

  table(columns: readonly Column[], rows: readonly (readonly string[])[]): Promise<void> {
    return this.write(renderTable(columns, rows, this.width, (text) => this.paint('bold', text)))
  }

  fields(fields: Parameters<typeof renderFields>[0]): Promise<void> {
    return this.write(renderFields(fields, this.width, (text) => this.paint('bold', text)))
  }

  json(value: unknown): Promise<void> {
    return this.line(visibleJson(value, 2))
  }
}
