import { isTypeScript, tsxFlags } from '../../plain/tsx-flags.ts'
import { GoldenError } from '../errors.ts'

const stripTypes = '--experimental-strip-types'

/** The flags with which Node runs the modules given by their URLs: none for JavaScript; for TypeScript `tsx`, or Node's own type stripping. */
export function loaderFlags(...modules: readonly string[]): string[] {
  const urls = modules.map((module) => new URL(module))
  const flags = tsxFlags(...urls)
  if (flags !== null) return flags
  if (process.allowedNodeEnvironmentFlags.has(stripTypes)) return [stripTypes]
  throw new GoldenError(
    'NO_TYPESCRIPT',
    `${urls.find(isTypeScript)?.href} is TypeScript, which Node ${process.versions.node} cannot run by itself. Run: npm install --save-dev tsx`,
  )
}

/** The module of that name next to the one given, whether they run as TypeScript or as they were built. */
export function neighborModule(url: string, name: string): string {
  return new URL(`./${name}${url.endsWith('.ts') ? '.ts' : '.js'}`, url).href
}
