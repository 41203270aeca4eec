import { readFile, writeFile } from 'node:fs/promises'
import { allGoldfish } from '../src/conformance/goldfish/all-goldfish.ts'
import { catchesOf, catchesOn, goldfishPage } from '../test/conformance/goldfish-page.ts'
import { judgeGoldfish } from '../test/conformance/goldfish-results.ts'

/** Judges all goldfish, or the named ones, and writes the results. The page keeps what it says about the others. */
const page = new URL('../docs/goldfish.md', import.meta.url)
const named = process.argv.slice(2)
const unknown = named.filter((one) => !allGoldfish.some(({ name }) => name === one))
if (unknown.length > 0) throw new Error(`there is no goldfish ${unknown.join(', ')}`)
const chosen = named.length === 0 ? allGoldfish.map(({ name }) => name) : named

const results = await judgeGoldfish(
  chosen.map((name) => ({ name })),
  ({ name, passed, sampled, caughtBy, times }) => {
    const verdict = caughtBy.length > 0 ? `caught by ${caughtBy.length}` : 'NOT CAUGHT'
    console.log(`${name}: ${verdict}${times > 1 ? `, ${times} times` : ''}, passes ${passed} of ${sampled}`)
  },
)
const said = catchesOn(await readFile(page, 'utf8'))
await writeFile(page, goldfishPage(catchesOf(results, said)))
