export interface Theme {
  readonly name: 'light' | 'dark'
  readonly canvas: string
  readonly text: string
  /** Text that matters less, and the other side of a comparison. */
  readonly muted: string
  readonly grid: string
  readonly stripe: string
  /** Ours, and what meets its bar. */
  readonly met: string
  /** What misses its bar. */
  readonly missed: string
  readonly backends: Readonly<Record<Backend, string>>
}

export type Backend = 'memory' | 'SQLite' | 'Redis' | 'PostgreSQL'

/** The colors of GitHub's pages, which have a contrast of at least 4.5 to the canvas where they carry meaning. */
export const themes: readonly Theme[] = [
  {
    name: 'light',
    canvas: '#ffffff',
    text: '#1f2328',
    muted: '#59636e',
    grid: '#d1d9e0',
    stripe: '#f6f8fa',
    met: '#0969da',
    missed: '#bc4c00',
    backends: { memory: '#8250df', SQLite: '#0969da', Redis: '#bf3989', PostgreSQL: '#1a7f37' },
  },
  {
    name: 'dark',
    canvas: '#0d1117',
    text: '#f0f6fc',
    muted: '#9198a1',
    grid: '#3d444d',
    stripe: '#151b23',
    met: '#4493f8',
    missed: '#f0883e',
    backends: { memory: '#ab7df8', SQLite: '#4493f8', Redis: '#db61a2', PostgreSQL: '#3fb950' },
  },
]
