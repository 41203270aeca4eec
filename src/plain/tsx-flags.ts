import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const isTypeScript = ({ pathname }: URL): boolean => /\.[cm]?tsx?$/.test(pathname)

/** The Node arguments for loading these modules with `tsx`, wherever it is installed: none for JavaScript; `null` if it is needed but missing. */
export function tsxFlags(...modules: readonly URL[]): string[] | null {
  const typed = modules.filter(isTypeScript)
  if (typed.length === 0) return []
  for (const from of [...typed, pathToFileURL(join(process.cwd(), 'package.json')), new URL(import.meta.url)]) {
    try {
      return ['--import', pathToFileURL(createRequire(from).resolve('tsx')).href]
    } catch {
      // Not installed there.
    }
  }
  return null
}
