import { createClient } from 'redis'
import { openOnRedis } from '../redis.ts'
import { rowGroup, timesTheThroughput } from '../row.ts'
import {
  appendRow,
  type Baseline,
  closeOnServer,
  type OnServer,
  oneByOne,
  toEach,
  toOne,
  turn,
  type Way,
} from '../ways.ts'

const body = JSON.stringify(turn)

/** As the client comes: every command has a deadline of five seconds, as every call of ours. */
const bare: Baseline = {
  name: '',
  baseline: 'RPUSH of the same bytes',
  figure: 'RPUSH',
  open: (url) => openBare({ url }),
}
/** The client's own deadline takes most of its time. */
const noDeadline: Baseline = {
  name: '-no-deadline',
  baseline: 'RPUSH by a client without a deadline',
  figure: 'RPUSH',
  open: (url) => openBare({ url, commandOptions: { timeout: 0 } }),
}
/** Pushes each message to a list, by a client of its own version, and does no more. */
const peer: Baseline = {
  name: '-peer',
  baseline: 'addMessage of @langchain/redis',
  figure: 'addMessage of the peer',
  async open(url) {
    const { RedisChatMessageHistory } = await import('@langchain/redis')
    const { HumanMessage } = await import('@langchain/core/messages')
    const history = new RedisChatMessageHistory({ sessionId: 'peer', config: { url } })
    const message = new HumanMessage(String(turn.content))
    await history.ensureReadiness()
    return { append: () => history.addMessage(message), close: () => history.client.disconnect() }
  },
}

/** Nothing is synced, so the cost of a call compared with a bare command shows in full. */
export const redisAppendGroup = appendGroup({ synced: false }, 'redis', 'Redis', [
  [oneByOne, bare],
  [toOne, bare],
  [toEach, bare],
  [oneByOne, noDeadline],
  [toOne, noDeadline],
  [{ ...oneByOne, measured: timesTheThroughput }, peer],
  [toOne, peer],
])

/** Every write is on disk when it is answered. */
export const redisSyncedAppendGroup = appendGroup({ synced: true }, 'redis-synced', 'Redis, appendfsync always', [
  [oneByOne, bare],
  [toOne, bare],
])

function appendGroup(
  options: { synced: boolean },
  group: string,
  where: string,
  rows: readonly (readonly [Way, Baseline])[],
) {
  return rowGroup<OnServer>(
    (bench) => openOnRedis(bench, options),
    closeOnServer,
    rows.map(([way, baseline]) => appendRow(group, where, way, baseline)),
  )
}

async function openBare(options: NonNullable<Parameters<typeof createClient>[0]>) {
  const client = createClient(options)
  await client.connect()
  return {
    append: (session: string) => client.rPush(`bare:${session}`, body),
    close: () => client.destroy(),
  }
}
