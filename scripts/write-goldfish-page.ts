import { writeFile } from 'node:fs/promises'
import { catchesOf, goldfishPage } from '../test/conformance/goldfish-page.ts'
import { judgeGoldfish } from '../test/conformance/goldfish-results.ts'

const results = await judgeGoldfish(({ name, passed, offered, caughtBy, times }) => {
  const verdict = caughtBy.length > 0 ? `caught by ${caughtBy.length}` : 'NOT CAUGHT'
  console.log(`${name}: ${verdict}${times > 1 ? `, ${times} times` : ''}, passes ${passed} of ${offered}`)
})
await writeFile(new URL('../docs/goldfish.md', import.meta.url), goldfishPage(catchesOf(results)))
