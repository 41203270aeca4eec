import { checkVolatile } from './compare/volatile/check-volatile.ts'
import { GoldenError } from './errors.ts'
import type { ProcessOptions } from './process/run-process.ts'
import type { SnapshotDbConfig, SnapshotDbOptions } from './snapshot-db.ts'
import { quoteVisibly } from './system/visible-text.ts'

interface Rule {
  readonly is: (value: unknown) => boolean
  readonly what: string
}

const isText = (value: unknown) => typeof value === 'string' && value !== ''
const isUrl = (value: unknown) => typeof value === 'object' && value !== null && 'href' in value
const isInput = (value: unknown) => typeof value === 'string' || isUrl(value)

const config: Readonly<Record<keyof SnapshotDbConfig, Rule>> = {
  golden: { is: isText, what: 'the path of a file' },
  seed: { is: (value) => typeof value === 'function', what: 'a function' },
  inputs: { is: (value) => Array.isArray(value) && value.every(isInput), what: 'an array of texts and URLs of files' },
  volatile: {
    is: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    what: "an object such as { 'table.column': 'uuid' }",
  },
}

const ofAdapters: readonly string[] = ['testFile', 'testName', 'testId', 'mode', 'color'] satisfies (keyof Omit<
  SnapshotDbOptions,
  keyof SnapshotDbConfig
>)[]

const ofProcesses: Readonly<Record<keyof ProcessOptions, Rule>> = {
  killAt: { is: isText, what: 'the name of a point' },
  deadline: { is: (value) => typeof value === 'number' && value > 0, what: 'a number of milliseconds' },
}

/** Refuses an option that there is none of, or that is not what it can be. */
export function checkConfig(given: SnapshotDbConfig): void {
  checkOptions('snapshotDb', given, config, ofAdapters)
  checkVolatile(given.volatile ?? {})
}

/** The same for what a process is started with. */
export function checkProcess(module: unknown, exportName: unknown, options: ProcessOptions): void {
  if (typeof module !== 'string' && !isUrl(module)) refuse('The module of a process', module, 'a URL')
  requireText('The name of the function of a process', exportName)
  checkOptions('snapshotDb.process', options, ofProcesses)
}

export function requireText(name: string, value: unknown): void {
  if (typeof value !== 'string') refuse(name, value, 'a text')
}

function refuse(name: string, value: unknown, what: string): never {
  throw new GoldenError('BAD_OPTION', `${name} is ${show(value)}, and not ${what}.`)
}

function checkOptions(
  owner: string,
  given: unknown,
  rules: Readonly<Record<string, Rule>>,
  others: readonly string[] = [],
): void {
  if (typeof given !== 'object' || given === null) refuse(`What configures ${owner}`, given, 'an object')
  for (const [name, value] of Object.entries(given as object)) {
    const rule = rules[name]
    if (rule === undefined && !others.includes(name)) {
      const known = Object.keys(rules).join(', ')
      throw new GoldenError('BAD_OPTION', `${owner} has no option ${quoteVisibly(name)}; it has ${known}.`)
    }
    if (rule !== undefined && value !== undefined && !rule.is(value)) {
      refuse(`The option ${name} of ${owner}`, value, rule.what)
    }
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return quoteVisibly(value)
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}
