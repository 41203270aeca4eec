const built = new URL('../dist/golden/index.js', import.meta.url)

/** The built golden databases, as users get them. */
export const { diffGoldens, freeze, openSnapshotDb, stopFreezer } = (await import(
  built.href
)) as typeof import('unforget/golden')
