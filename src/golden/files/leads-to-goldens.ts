import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const loads = /\bfrom\s*(['"])(.*?)\1|\bimport\s*(['"])(.*?)\3|\b(?:import|require)\w*\s*\(\s*(?:(['"`])([^'"`$]*)\5)?/g
const hidden = /\bcreateRequire\b|\bimport\.meta\.glob\b/
/** Part of Jest, installed or not. */
const ofJest = '@jest/globals'
const extensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

/**
 * Whether a test file can use goldens: it names them, or something that it loads names this package. True for every file of
 * which this is unknown, as when a module is loaded by a computed name or under an alias.
 */
export function leadsToGoldens(testFile: string): boolean {
  return /\bsnapshotDb\b/.test(readFileSync(testFile, 'utf8')) || mayLoadGoldens(testFile, new Set())
}

function mayLoadGoldens(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (text.includes('unforget') || hidden.test(text)) return true
  return [...text.matchAll(loads)].some(([, , from, , bare, , called]) => {
    const specifier = from ?? bare ?? called
    if (specifier === undefined) return true
    if (isBuiltin(specifier) || specifier === ofJest) return false
    if (!/^(\.\.?(\/|$)|\/|file:)/.test(specifier)) return mayPackageLoadGoldens(specifier, dirname(file))
    const found = findModule(specifier.startsWith('file:') ? fileURLToPath(specifier) : join(dirname(file), specifier))
    if (found === undefined) return true
    return extensions.includes(extname(found)) && mayLoadGoldens(found, seen)
  })
}

function findModule(path: string): string | undefined {
  const plain = path.replace(/[?#].*$/s, '')
  const withoutExtension = plain.replace(/\.[cm]?jsx?$/, '')
  const candidates = [plain, withoutExtension, plain, join(plain, 'index')].flatMap((base, index) =>
    index === 0 ? base : extensions.map((extension) => `${base}${extension}`),
  )
  return candidates.find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile() === true)
}

/** Only an installed package that does not depend on this one surely does not. */
function mayPackageLoadGoldens(specifier: string, folder: string): boolean {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? []
  const manifest = join(folder, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) {
    const parent = resolve(folder, '..')
    return parent === folder || mayPackageLoadGoldens(specifier, parent)
  }
  const isInstalled = realpathSync(manifest).includes(`${sep}node_modules${sep}`)
  return !isInstalled || readFileSync(manifest, 'utf8').includes('"unforget"')
}
