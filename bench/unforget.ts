const built = new URL('../dist/index.js', import.meta.url)

/** The built package, as users get it: by its name, tsx would find the sources. */
export const { openMemory } = (await import(built.href)) as typeof import('unforget')
