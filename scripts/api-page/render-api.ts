import type { ApiExport, Documented, EntryPoint } from './read-api.ts'

/** What each entry point is for, and the page that tells more. */
const about: Readonly<Record<string, string>> = {
  'unforget/memory': 'A backend in the memory of this process.',
  'unforget/sqlite': 'The backend on a SQLite file, for `new MemoryStore(backend)`. `openMemory` opens it by URL.',
  'unforget/redis': 'The backend on Redis, with a client of your own or by URL. See [Redis](backends/redis.md).',
  'unforget/postgres':
    'The backend on PostgreSQL, with a pool of your own or by URL. See [PostgreSQL](backends/postgres.md).',
  'unforget/ai-sdk': 'Chats of the AI SDK 6 and 7. See [AI SDK](bridges/ai-sdk.md).',
  'unforget/langchain': 'A history of LangChain. See [LangChain](bridges/langchain.md).',
  'unforget/openai-agents': 'A session of the OpenAI Agents SDK. See [OpenAI Agents SDK](bridges/openai-agents.md).',
  'unforget/faults': 'Backends and connections that fail on command, for tests of your own. See [faults](faults.md).',
  'unforget/testing/servers': 'Real servers for tests. See [servers for tests](testing-servers.md).',
  'unforget/conformance': 'The conformance kit. See [prove your store](prove-your-store.md).',
  'unforget/conformance/vitest': 'The kit as tests of Vitest.',
  'unforget/conformance/jest': 'The kit as tests of Jest.',
  'unforget/conformance/node-test': 'The kit as tests of node:test.',
  'unforget/golden': 'Golden databases, without a test runner. See [golden databases](golden-databases.md).',
  'unforget/golden/vitest': 'Golden databases for Vitest.',
  'unforget/golden/jest': 'Golden databases for Jest.',
  'unforget/golden/node-test': 'Golden databases for node:test.',
}

/** The types of the main entry by the files that declare them. */
const typeSections: readonly { readonly title: string; readonly files: readonly string[] }[] = [
  {
    title: 'Options and results',
    files: ['src/core/types.ts', 'src/core/trim-plan.ts', 'src/core/memory-store.ts', 'src/open-memory.ts'],
  },
  { title: 'Entries of the log', files: ['src/core/entries.ts'] },
  {
    title: 'For a backend of your own',
    files: ['src/core/backend.ts', 'src/core/path.ts', 'src/core/session-state.ts'],
  },
]

/** The whole page, in Markdown. */
export function renderApi([main, ...others]: readonly EntryPoint[]): string {
  if (main === undefined) throw new Error('there is no entry point')
  const parts = [
    '# API',
    '<!-- Made by `npm run api` from the doc comments in src/. Change those, not this page. -->',
    'Everything that the package exports, with options, results, errors and costs. [The contract](contract.md) is what it promises.',
    contents(others),
    ...mainEntry(main),
    ...others.flatMap(otherEntry),
  ]
  return `${parts.join('\n\n')}\n`
}

function contents(others: readonly EntryPoint[]): string {
  const sections = ['openMemory', 'MemoryStore', 'SessionMemory', 'Errors', ...typeSections.map(({ title }) => title)]
  return [
    `- [unforget](#unforget): ${sections.map((title) => `[${title}](#${anchor(title)})`).join(', ')}`,
    ...others.map(({ specifier }) => `- [${specifier}](#${anchor(specifier)})`),
  ].join('\n')
}

function mainEntry({ specifier, exports }: EntryPoint): string[] {
  const named = (name: string): ApiExport => {
    const found = exports.find((one) => one.name === name)
    if (found === undefined) throw new Error(`${name} is not exported`)
    return found
  }
  const [store, session] = [named('MemoryStore'), named('SessionMemory')]
  const inErrors = exports.filter(({ file }) => file === 'src/core/errors.ts')
  return [
    `## ${specifier}`,
    ...callable('### openMemory', named('openMemory')),
    `### ${store.name}`,
    store.text,
    ...store.members.flatMap((method) => callable(`#### memory.${method.name}()`, method)),
    `### ${session.name}`,
    session.text,
    session.members.map(sessionMember).join('\n'),
    '### Errors',
    ...inErrors.filter(({ kind }) => kind === 'class').flatMap(typeParts),
    ...['ErrorCode', 'BackendErrorCode'].flatMap((name) => typeParts(named(name))),
    ...inErrors.filter(({ kind }) => kind === 'value').flatMap(({ name, ...one }) => [`#### ${name}`, item(one)]),
    ...typeSections.flatMap(({ title, files }) => [
      `### ${title}`,
      ...exports
        .filter(({ kind, file }) => files.includes(file) && kind !== 'value' && kind !== 'class')
        .flatMap(typeParts),
    ]),
  ]
}

/** A method or a function with everything from its doc comment. */
function callable(heading: string, { signature, text, tags }: Documented): string[] {
  const all = (tag: string) => tags.filter(({ name }) => name === tag).map((one) => linked(one.text))
  const parameters = all('param').map((one) => one.replace(/^(\S+) - /, '- `$1`: '))
  const facts = [
    ...all('returns').map((one) => `- Returns: ${one}`),
    ...all('throws').map((one) => `- Errors: ${one}`),
    ...all('cost').map((one) => `- Cost: ${one}`),
  ]
  return [heading, block(signature), text, [...parameters, ...facts].join('\n')]
}

function sessionMember({ name, signature, text }: Documented): string {
  if (!signature.includes('(')) return item({ signature, text })
  return `- \`${signature}\`: see [memory.${name}](#${anchor(`memory.${name}()`)}).`
}

/** A union longer than this is a list in its doc comment as well, and reads better there. */
const longestUnion = 160

function typeParts({ name, kind, bases, signature, text, members }: ApiExport): string[] {
  const heading = `#### ${name}`
  if (kind === 'type') return [heading, ...(signature.length > longestUnion ? [] : [`\`${signature}\``]), text]
  const also = bases.length === 0 ? [] : [`Extends ${bases.map((base) => `\`${base}\``).join(', ')}.`]
  return [heading, [text, ...also].join(' '), ...(members.length === 0 ? [] : [members.map(item).join('\n')])]
}

function otherEntry({ specifier, exports }: EntryPoint): string[] {
  const types = exports.filter(({ kind }) => kind === 'interface' || kind === 'type').map(({ name }) => `\`${name}\``)
  const values = exports.filter(({ kind }) => kind === 'value' || kind === 'class')
  return [
    `## ${specifier}`,
    about[specifier] ?? '',
    values.flatMap(valueItems).join('\n'),
    ...(types.length === 0 ? [] : [`Types: ${types.join(', ')}.`]),
  ]
}

/** Of a backend only how it is opened: the rest is the contract. */
function valueItems({ kind, name, signature, text, bases, members }: ApiExport): string[] {
  if (kind !== 'class') return [item({ signature, text })]
  const shown = bases.includes('Backend') ? members.filter((member) => member.signature.startsWith('static ')) : members
  return [item({ signature: `class ${name}`, text }), ...shown.map((member) => `  ${item(member)}`)]
}

function item({ signature, text }: Pick<Documented, 'signature' | 'text'>): string {
  const [first = ''] = text.split('\n\n')
  const sentence = text.includes('\n- ') ? first : text
  const code = `- \`${signature}\``
  return sentence === '' ? code : `${code}: ${sentence.replaceAll(/\s+/g, ' ')}`
}

/** Names of option types lead to their section. */
function linked(text: string): string {
  return text.replaceAll(/`(\w+Options)`/g, (name, type: string) => `[${name}](#${anchor(type)})`)
}

function block(code: string): string {
  return `\`\`\`text\n${code}\n\`\`\``
}

/** As GitHub makes it of a heading. */
export function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')
}
