import { useState } from 'preact/hooks'
import type { Stats } from '../../src/core/types.ts'
import type { StoreView } from '../../src/inspector/wire.ts'
import { ask, type Failure } from '../api.ts'
import { hashOf } from '../route.ts'
import { Failed } from '../text/failed.tsx'
import { Line } from '../text/visible.tsx'
import { countEntries, showBytes, showNumber } from '../text/words.ts'
import { VerifyButton } from './verify-button.tsx'

export function HealthPage({ store }: { store: StoreView }) {
  const { ok, warnings, details, backend } = store.health
  return (
    <main class="health" id="main">
      <a class="back" href={hashOf({})}>
        All sessions
      </a>
      <h1>Health</h1>
      <section class="panel">
        <h2>What can lose memory here</h2>
        {warnings.length === 0 ? (
          <p>{ok ? 'Nothing that is known.' : 'It does not work.'}</p>
        ) : (
          <ul class="warnings">
            {warnings.map((warning) => (
              <li key={warning}>
                <Line text={warning} />
              </li>
            ))}
          </ul>
        )}
      </section>
      <section class="panel">
        <h2>The store</h2>
        <dl class="table">
          <Fact name="backend" value={backend} />
          {Object.entries(details).map(([name, value]) => (
            <Fact key={name} name={name} value={name === 'bytes' ? showBytes(Number(value)) : String(value)} />
          ))}
        </dl>
      </section>
      <Count />
      <section class="panel">
        <h2>Damage</h2>
        <p>Reads everything that any session or snapshot must have, and lists what is missing or unreadable.</p>
        <VerifyButton session={null} text="Verify everything" />
      </section>
    </main>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Line text={value} />
      </dd>
    </div>
  )
}

function Count() {
  const [stats, setStats] = useState<Stats | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isCounting, setCounting] = useState(false)
  const count = () => {
    setCounting(true)
    setFailure(null)
    ask<Stats>('stats')
      .then(setStats, setFailure)
      .finally(() => setCounting(false))
  }
  return (
    <section class="panel">
      <h2>Size</h2>
      <p>Counts what is stored, and what a sweep would free. It looks at every session.</p>
      <button type="button" disabled={isCounting} onClick={count}>
        {isCounting ? 'Counting …' : 'Count'}
      </button>
      <Failed failure={failure} />
      {stats !== null && (
        <dl class="table">
          <Fact name="sessions" value={showNumber(stats.sessions)} />
          <Fact name="snapshots" value={showNumber(stats.snapshots)} />
          <Fact name="entries" value={`${showNumber(stats.entries)} (${showBytes(stats.bytes)})`} />
          <Fact
            name="a sweep would free"
            value={`${countEntries(stats.sweepable.entries)} (${showBytes(stats.sweepable.bytes)})`}
          />
          <Fact name="damaged sessions" value={showNumber(stats.damaged.length)} />
        </dl>
      )}
    </section>
  )
}
