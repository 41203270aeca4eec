import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Node } from 'typescript/unstable/ast'
import {
  isBlock,
  isClassDeclaration,
  isFunctionDeclaration,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
} from 'typescript/unstable/ast/is'
import { API, type Checker, type Symbol as Declared, type Project, SymbolFlags } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A declaration as its author wrote it, with what its doc comment says. */
export interface Documented {
  readonly name: string
  /** On one line, without the body. */
  readonly signature: string
  readonly text: string
  readonly tags: readonly { readonly name: string; readonly text: string }[]
}

export interface ApiExport extends Documented {
  readonly kind: 'class' | 'interface' | 'type' | 'value'
  /** From the root of the repository. */
  readonly file: string
  /** What it extends, as written. */
  readonly bases: readonly string[]
  /** Public members of its own; those of a class without its constructor. */
  readonly members: readonly Documented[]
}

export interface EntryPoint {
  /** What is written in an import, such as `unforget/sqlite`. */
  readonly specifier: string
  readonly exports: readonly ApiExport[]
}

/** What every entry point of the package exports, read from the source by the TypeScript compiler. */
export function readApi(): EntryPoint[] {
  const api = new API({ cwd: root })
  try {
    const config = join(root, 'tsconfig.build.json')
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`${config} is no project`)
    return entryFiles().map(({ specifier, file }) => ({ specifier, exports: exportsOf(project, file) }))
  } finally {
    api.close()
  }
}

function entryFiles(): { specifier: string; file: string }[] {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    exports: Record<string, string | { types: string }>
  }
  return Object.entries(exports).flatMap(([path, target]) => {
    if (typeof target === 'string') return []
    const file = target.types.replace('./dist/', 'src/').replace(/\.d\.ts$/, '.ts')
    return { specifier: `unforget${path.slice(1)}`, file: join(root, file) }
  })
}

function exportsOf(project: Project, file: string): ApiExport[] {
  const source = project.program.getSourceFile(file)
  const module = source && project.checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} is no module`)
  return project.checker.getExportsOfModule(module).map((exported) => {
    const isAlias = (exported.flags & SymbolFlags.Alias) !== 0
    const symbol = isAlias ? project.checker.getAliasedSymbol(exported) : exported
    return readExport(project, symbol, exported.name)
  })
}

function readExport(project: Project, symbol: Declared, name: string): ApiExport {
  const declaration = declarationOf(project, symbol)
  const isClassOrInterface = isClassDeclaration(declaration) || isInterfaceDeclaration(declaration)
  const clauses = isClassOrInterface ? (declaration.heritageClauses ?? []) : []
  const members = isClassOrInterface ? [...symbol.getExports().values(), ...symbol.getMembers().values()] : []
  return {
    ...documented(project.checker, symbol, declaration, name),
    ...overloadsOf(project, symbol),
    kind: kindOf(declaration),
    file: declaration.getSourceFile().fileName.slice(root.length),
    bases: clauses.flatMap(({ types }) => types.map((type) => type.getText())),
    members: members.filter(isPublic).map((member) => {
      return documented(project.checker, member, declarationOf(project, member))
    }),
  }
}

/** All signatures of a function that has several; its last declaration is the implementation. */
function overloadsOf(project: Project, { declarations }: Declared): Partial<Documented> {
  const resolved = declarations.flatMap((one) => one.resolve(project) ?? [])
  if (resolved.length < 2 || !resolved.every(isFunctionDeclaration)) return {}
  return { signature: resolved.slice(0, -1).map(signatureOf).join('\n') }
}

function kindOf(declaration: Node): ApiExport['kind'] {
  if (isClassDeclaration(declaration)) return 'class'
  if (isInterfaceDeclaration(declaration)) return 'interface'
  return isTypeAliasDeclaration(declaration) ? 'type' : 'value'
}

/** A name in brackets is a symbol of JavaScript or an index signature, a name with `#` is private. Type parameters are in the signature. */
function isPublic({ name, flags, declarations }: Declared): boolean {
  const isNamed = !name.includes('#') && !name.startsWith('__') && name !== 'prototype'
  return declarations.length > 0 && isNamed && (flags & SymbolFlags.TypeParameter) === 0
}

function declarationOf(project: Project, { name, declarations }: Declared): Node {
  const declaration = declarations[0]?.resolve(project)
  if (declaration === undefined) throw new Error(`${name} has no declaration`)
  return declaration
}

function documented(checker: Checker, symbol: Declared, declaration: Node, name = symbol.name): Documented {
  return {
    name,
    signature: isVariableDeclaration(declaration) ? constantOf(checker, symbol, name) : signatureOf(declaration),
    text: symbol.getDocumentationComment(checker).trim(),
    tags: symbol.getJsDocTags(checker).map(({ name, text = '' }) => ({ name, text: text.replaceAll(/\s+/g, ' ') })),
  }
}

function constantOf(checker: Checker, symbol: Declared, name: string): string {
  const type = checker.getTypeOfSymbol(symbol)
  return `const ${name}: ${type === undefined ? 'unknown' : checker.typeToString(type)}`
}

function signatureOf(declaration: Node): string {
  const whole = declaration.getText()
  let end = whole.length
  declaration.forEachChild((child) => {
    if (isBlock(child)) end = child.getStart() - declaration.getStart()
  })
  return whole
    .slice(0, end)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\( | (?=\))/g, (space) => space.trim())
    .replaceAll(/,(?=\))/g, '')
    .replace(/^(static )?(export |async |override )*/, '$1')
    .trim()
}
