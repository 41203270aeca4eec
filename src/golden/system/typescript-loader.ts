import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GoldenError } from '../errors.ts'

const isTypeScript = (url: string) => /\.[cm]?tsx?$/.test(new URL(url).pathname)
const stripTypes = '--experimental-strip-types'

/** The flags with which Node runs the modules given by their URLs: none for JavaScript; for TypeScript `tsx`, or Node's own type stripping. */
export function loaderFlags(...modules: readonly string[]): string[] {
  const typescript = modules.filter(isTypeScript)
  if (typescript.length === 0) return []
  const places = [...typescript, pathToFileURL(join(process.cwd(), 'package.json')).href, import.meta.url]
  for (const place of places) {
    const loader = resolveTsx(place)
    if (loader !== undefined) return ['--import', loader]
  }
  if (process.allowedNodeEnvironmentFlags.has(stripTypes)) return [stripTypes]
  throw new GoldenError(
    'NO_TYPESCRIPT',
    `${typescript[0]} is TypeScript, which Node ${process.versions.node} cannot run by itself. Run: npm install --save-dev tsx`,
  )
}

/** The module of that name next to the one given, whether they run as TypeScript or as they were built. */
export function moduleBeside(url: string, name: string): string {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url).href
}

function resolveTsx(place: string): string | undefined {
  try {
    return pathToFileURL(createRequire(place).resolve('tsx')).href
  } catch {
    return undefined
  }
}
