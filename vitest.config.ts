import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^unforget$/, replacement: source('index.ts') },
      { find: /^unforget\/(memory|sqlite|redis|postgres)$/, replacement: source('backends/$1/index.ts') },
      { find: /^unforget\/testing\/([\w-]+)$/, replacement: source('testing/$1/index.ts') },
      { find: /^unforget\/(faults|conformance|golden)$/, replacement: source('$1/index.ts') },
      { find: /^unforget\/(conformance|golden)\/([\w-]+)$/, replacement: source('$1/adapters/$2.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
