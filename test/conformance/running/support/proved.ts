import { readdir } from 'node:fs/promises'
import type { ProveOptions, Report } from 'unforget/conformance'
import { expect } from 'vitest'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { prove } from './built-kit.ts'
import type { StoreModule } from './store-module.ts'

/** Proves a store in a folder in which nothing may be left. */
export async function proved(module: StoreModule, options: ProveOptions = {}): Promise<Report> {
  const folder = await temporaryFolder()
  const report = await prove(module.url, { seed: 1, levels: ['core'], folder, ...options })
  expect(await readdir(folder)).toEqual([])
  return report
}
