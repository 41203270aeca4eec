const built = (file: string) => new URL(`../dist/${file}`, import.meta.url).href

/** The built package, as users get it: by its name, tsx would find the sources. */
export const { MemoryStore, openMemory } = (await import(built('index.js'))) as typeof import('unforget')

export const { PostgresBackend } = (await import(
  built('backends/postgres/index.js')
)) as typeof import('unforget/postgres')
