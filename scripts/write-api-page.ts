import { writeFile } from 'node:fs/promises'
import { readApi } from './api-page/read-api.ts'
import { renderApi } from './api-page/render-api.ts'

await writeFile(new URL('../docs/api.md', import.meta.url), renderApi(readApi()))
