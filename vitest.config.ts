import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'
import { slowestFiles } from './test/support/slowest-files.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const source = (path: string) => here(`./src/${path}`)

export default defineConfig({
  resolve: {
    alias: [
      { find: /^unforget$/, replacement: source('index.ts') },
      { find: /^unforget\/(memory|sqlite|redis|postgres)$/, replacement: source('backends/$1/index.ts') },
      { find: /^unforget\/(ai-sdk|langchain|langgraph|openai-agents)$/, replacement: source('bridges/$1/index.ts') },
      { find: /^unforget\/testing\/([\w-]+)$/, replacement: source('testing/$1/index.ts') },
      { find: /^unforget\/(faults|conformance|golden|inspector)$/, replacement: source('$1/index.ts') },
      { find: /^unforget\/(conformance|golden)\/([\w-]+)$/, replacement: source('$1/adapters/$2.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: here('./test/support/global-setup.ts'),
    reporters: ['default', slowestFiles],
    sequence: { sequencer: LongestFirst },
    /** The processes that tests start compile what they load once for all. */
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'unforget-compile-cache') },
    /** Files share the modules that a worker has loaded, which saves 0.3 s each. What a helper starts, it starts for the file that asks, never when it is imported. */
    isolate: false,
    /** Many tests wait for a process or a lock: two workers more than cores keep the cores busy. */
    maxWorkers: availableParallelism() + 2,
    /** Only for what hangs: on a slow and busy machine, the longest test took 18 minutes. */
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    expect: { poll: { timeout: 300_000 } },
  },
})
