/** What the author of a store knows of the kit, and every other part of it as well. */
const kit = ['conformance/store-definition.ts', 'conformance/case.ts']
const golden = ['golden/errors.ts', 'golden/system']
const terminal = ['cli/terminal', 'cli/command']

/**
 * The rooms of src/: folders, and single files that others than their neighbours may import. Which rooms each may import from, besides itself; they
 * stand before it. Files at the top of src/ may import from all.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  core: [],
  driver: [],
  backends: ['core', 'driver', 'plain'],
  faults: ['core', 'plain'],
  testing: ['faults'],

  'conformance/store-definition.ts': ['core'],
  'conformance/case.ts': ['core', 'faults', 'conformance/store-definition.ts'],
  'conformance/offers.ts': kit,
  'conformance/cannot-prove.ts': [],
  'conformance/clauses.ts': [],
  'conformance/subjects': ['core'],
  'conformance/cases': ['core', 'faults', 'plain', ...kit],
  'conformance/goldfish/goldfish.ts': ['core', ...kit],
  'conformance/goldfish/helpers': ['core', 'conformance/goldfish/goldfish.ts', ...kit],
  'conformance/goldfish/stories': ['core', 'conformance/goldfish/goldfish.ts', 'conformance/goldfish/helpers', ...kit],
  'conformance/goldfish': [
    'core',
    'backends',
    'testing',
    'conformance/goldfish/goldfish.ts',
    'conformance/goldfish/helpers',
    'conformance/goldfish/stories',
    ...kit,
  ],
  'conformance/report': kit,
  'conformance/running': ['conformance/report'],
  'conformance/running/child': [
    'core',
    'faults',
    'plain',
    'conformance/offers.ts',
    'conformance/cases',
    'conformance/report',
    'conformance/running',
    ...kit,
  ],
  'conformance/running/parent': [
    'faults',
    'plain',
    'conformance/cannot-prove.ts',
    'conformance/report',
    'conformance/running',
  ],
  conformance: [
    'plain',
    'conformance/offers.ts',
    'conformance/cannot-prove.ts',
    'conformance/clauses.ts',
    'conformance/subjects',
    'conformance/cases',
    'conformance/report',
    'conformance/running/child',
    'conformance/running/parent',
    ...kit,
  ],
  'conformance/adapters': [
    'plain',
    'conformance/offers.ts',
    'conformance/clauses.ts',
    'conformance/report',
    'conformance/running',
    'conformance/running/parent',
    'conformance',
    ...kit,
  ],

  'golden/errors.ts': [],
  'golden/system': ['driver', 'plain', 'golden/errors.ts'],
  'golden/freezing': ['plain', ...golden],
  'golden/compare/rows': ['plain', ...golden],
  'golden/compare/volatile': ['golden/compare/rows', ...golden],
  'golden/compare': ['plain', 'golden/freezing', 'golden/compare/rows', 'golden/compare/volatile', ...golden],
  'golden/render': ['plain', 'golden/compare', ...golden],
  'golden/files': ['plain', 'golden/freezing', 'golden/compare', 'golden/compare/volatile', 'golden/render', ...golden],
  'golden/process': ['plain', ...golden],
  golden: [
    'plain',
    'golden/freezing',
    'golden/compare/rows',
    'golden/compare/volatile',
    'golden/compare',
    'golden/render',
    'golden/files',
    'golden/process',
    ...golden,
  ],
  'golden/adapters': ['plain', 'golden/files', 'golden', ...golden],

  'cli/pages': [],
  'cli/terminal': ['plain'],
  'cli/command': ['core', 'plain', 'cli/terminal'],
  'cli/store': ['core', 'open-memory.ts', ...terminal],
  'cli/looking': ['core', 'backends', 'plain', 'cli/store', ...terminal],
  'cli/changing': ['core', 'plain', 'cli/store', 'cli/looking', ...terminal],
  'cli/transfer': ['core', 'plain', 'open-memory.ts', 'cli/store', ...terminal],
  'cli/prove': [
    'cli/pages',
    'core',
    'backends',
    'plain',
    'conformance/offers.ts',
    'conformance/cannot-prove.ts',
    'conformance/goldfish/goldfish.ts',
    'conformance/goldfish',
    'conformance/report',
    'conformance',
    ...kit,
    ...terminal,
  ],
  'cli/golden': [
    'cli/pages',
    'plain',
    'golden/freezing',
    'golden/compare/volatile',
    'golden/compare',
    'golden/render',
    'golden/files',
    'golden',
    ...golden,
    ...terminal,
  ],
  cli: ['plain', 'cli/looking', 'cli/changing', 'cli/transfer', 'cli/prove', 'cli/golden', ...terminal],
}

/** Rooms whose folders import nothing of one another but `helpers`. */
export const partsApart: readonly string[] = ['backends', 'conformance/cases', 'conformance/goldfish/stories']

/** The one import that leads back: a store makes its sessions, and a session is typed by the store that it calls. */
export const mutual: readonly (readonly [file: string, imported: string])[] = [
  ['core/session-memory.ts', 'core/memory-store.ts'],
]
