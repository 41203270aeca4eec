import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The page, with paths relative to wherever it is mounted, and nothing in it that a strict policy would refuse. */
export default defineConfig({
  base: './',
  build: {
    outDir: fileURLToPath(new URL('../dist/inspector/page', import.meta.url)),
    emptyOutDir: true,
    assetsDir: '.',
    assetsInlineLimit: 0,
    modulePreload: false,
    target: 'es2022',
  },
})
