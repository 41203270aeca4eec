import { createClient } from 'redis'
import { alternate, type Side, timeEach } from '../measure.ts'
import { closeOnRedis, type OnRedis, openOnRedis } from '../redis.ts'
import { type Bar, type Bench, type Row, rowGroup, timesTheThroughput, timesTheTime } from '../row.ts'
import { makeTurn } from '../turns.ts'

/** How messages are appended, by whichever side. */
interface Way {
  readonly name: string
  readonly what: string
  /** What is compared. */
  readonly measured: typeof timesTheTime
  sideOf(bench: Bench, append: (session: string) => Promise<unknown>): Side
}

/** What else appends them, on a connection of its own. */
interface Beside {
  /** Behind the name of the way. */
  readonly name: string
  readonly beside: string
  readonly figure: string
  open(url: string): Promise<{ append(session: string): Promise<unknown>; close(): unknown }>
}

const callers = 64
const turn = makeTurn(1)
const body = JSON.stringify(turn)

const oneByOne: Way = {
  name: 'append',
  what: 'append, one after another',
  measured: timesTheTime,
  sideOf: (bench, append) => () => timeEach(bench.size(50, 5), () => append('one')),
}
const toOne = together('append-64-one', 'to one session', () => 'shared')
const toEach = together('append-64-each', 'to 64 sessions', (caller) => `caller-${caller}`)

/** As the client comes: every command has a deadline of five seconds, as every call of ours. */
const bare: Beside = {
  name: '',
  beside: 'RPUSH of the same bytes',
  figure: 'RPUSH',
  open: (url) => openBare({ url }),
}
/** The client's own deadline takes most of its time. */
const noDeadline: Beside = {
  name: '-no-deadline',
  beside: 'RPUSH by a client without a deadline',
  figure: 'RPUSH',
  open: (url) => openBare({ url, commandOptions: { timeout: 0 } }),
}
/** Pushes each message to a list, by a client of its own version, and does no more. */
const peer: Beside = {
  name: '-peer',
  beside: 'addMessage of @langchain/redis',
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

/** Nothing is synced, so what a call costs beside a bare command shows in full. */
export const redisAppendGroup = appendGroup({ synced: false }, 'redis', 'Redis', [
  [oneByOne, bare, { atMost: 1.4 }],
  [toOne, bare, { atLeast: 0.65 }],
  [toEach, bare, { atLeast: 0.65 }],
  [oneByOne, noDeadline, null],
  [toOne, noDeadline, null],
  [{ ...oneByOne, measured: timesTheThroughput }, peer, { atLeast: 1 }],
  [toOne, peer, { atLeast: 1 }],
])

/** Every write is on disk when it is answered. */
export const redisSyncedAppendGroup = appendGroup({ synced: true }, 'redis-synced', 'Redis, appendfsync always', [
  [oneByOne, bare, { atMost: 1.4 }],
  [toOne, bare, { atLeast: 0.65 }],
])

function appendGroup(
  options: { synced: boolean },
  group: string,
  where: string,
  rows: readonly (readonly [Way, Beside, Bar | null])[],
) {
  return rowGroup<OnRedis>(
    (bench) => openOnRedis(bench, options),
    closeOnRedis,
    rows.map(([way, beside, bar]) => makeRow(group, where, way, beside, bar)),
  )
}

function makeRow(group: string, where: string, way: Way, other: Beside, bar: Bar | null): Row<OnRedis> {
  return {
    name: `${group}-${way.name}${other.name}`,
    what: `${where}: ${way.what}`,
    beside: other.beside,
    bar,
    async measure({ bench, memory, server }) {
      const { append, close } = await other.open(server.url)
      const rounds = await alternate(
        way.sideOf(bench, (session) => memory.addMessages(`${session}${other.name}`, [turn])),
        way.sideOf(bench, append),
        { warmUp: bench.size(5, 1), rounds: bench.size(30, 3), parts: bench.size(10, 2) },
      )
      await close()
      return way.measured(rounds, 'addMessages, per message', other.figure)
    },
  }
}

async function openBare(options: NonNullable<Parameters<typeof createClient>[0]>) {
  const client = createClient(options)
  await client.connect()
  return {
    append: (session: string) => client.rPush(`bare:${session}`, body),
    close: () => client.destroy(),
  }
}

function together(name: string, where: string, sessionOf: (caller: number) => string): Way {
  return {
    name,
    what: `append, ${callers} at once ${where}`,
    measured: timesTheThroughput,
    sideOf(bench, append) {
      const each = bench.size(2, 1)
      return async () => {
        const started = performance.now()
        await Promise.all(
          Array.from({ length: callers }, (_, caller) => timeEach(each, () => append(sessionOf(caller)))),
        )
        return (performance.now() - started) / (callers * each)
      }
    },
  }
}
