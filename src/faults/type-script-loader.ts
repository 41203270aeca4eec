import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The arguments with which Node can load these modules: none for JavaScript, a loader for TypeScript where Node needs one. */
export function typeScriptLoader(...modules: readonly URL[]): string[] {
  const typed = modules.filter(({ pathname }) => /\.[cm]?tsx?$/.test(pathname))
  if (typed.length === 0) return []
  for (const from of [...typed, pathToFileURL(join(process.cwd(), 'package.json')), new URL(import.meta.url)]) {
    try {
      return ['--import', pathToFileURL(createRequire(from).resolve('tsx')).href]
    } catch {
      // Not installed there.
    }
  }
  if ((process.features as { typescript?: unknown }).typescript) return []
  throw new Error(`Node ${process.versions.node} does not load TypeScript by itself: npm install --save-dev tsx`)
}
