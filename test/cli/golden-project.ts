import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { vi } from 'vitest'
import type { VolatileColumns } from '../../src/golden/compare/volatile/shapes.ts'
import { goldenFolder, goldenPath } from '../../src/golden/files/golden-names.ts'
import { finishFile } from '../../src/golden/finish-file.ts'
import { stopFreezer } from '../../src/golden/freezing/freezer.ts'
import type { UpdateMode } from '../../src/golden/mode.ts'
import { openSnapshotDb } from '../../src/golden/snapshot-db.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export const hostile = '\x1b[2J\u202e<script>'

/** A project whose test file has the tests named, each with a golden; they are run by changing their database with SQL. */
export class GoldenProject {
  readonly cwd: string
  readonly testFile: string

  static async open(): Promise<GoldenProject> {
    const project = new GoldenProject(await temporaryFolder())
    for (const name of ['CI', 'SNAPSHOT_UPDATE', 'SNAPSHOT_USED']) vi.stubEnv(name, '')
    mkdirSync(join(project.cwd, 'test'))
    writeFileSync(project.testFile, "import 'unforget/golden/vitest'\n")
    return project
  }

  private constructor(cwd: string) {
    this.cwd = cwd
    this.testFile = join(cwd, 'test', 'memory.test.ts')
  }

  /** Runs one test as an adapter does. */
  async run(testName: string, sql: string, mode: UpdateMode = 'new', more: VolatileColumns = {}): Promise<void> {
    const { testFile } = this
    const seed = (path: string) => change(path, `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, at TEXT)`)
    const volatile = { 'notes.at': 'time', ...more } as const
    const config = { golden: 'start.sqlite', seed, volatile }
    const db = await openSnapshotDb({ ...config, testFile, testName, testId: testName, mode })
    change(db.path, sql)
    await db.finish({ passed: true })
  }

  /** Ends the run of the test file. */
  end(): void {
    finishFile({ testFile: this.testFile, complete: true, mode: 'new' })
  }

  /** As a person in the project would write it. */
  golden(testName: string): string {
    return goldenPath(join('test', 'memory.test.ts'), testName, null)
  }

  has(path: string): boolean {
    return existsSync(join(this.cwd, path))
  }

  /** The names of the files next to the goldens. */
  get files(): string[] {
    return readdirSync(goldenFolder(this.testFile)).sort()
  }

  [Symbol.dispose](): void {
    vi.unstubAllEnvs()
    stopFreezer()
  }
}

/** A project in which each test was run and then run again with an outcome that no other has. */
export async function projectWithPending(...tests: string[]): Promise<GoldenProject> {
  const project = await GoldenProject.open()
  for (const [index, test] of tests.entries()) {
    await project.run(test, insert('My name is Wang'))
    await project.run(test, insert(`My name is Li${index === 0 ? '' : ` ${index}`}`))
  }
  project.end()
  return project
}

export function insert(text: string): string {
  return `INSERT INTO notes VALUES (1, '${text}', '2026-01-02T10:00:00.000Z')`
}

export function change(path: string, sql: string): void {
  const database = new Database(path)
  database.pragma('synchronous = OFF')
  database.exec(sql)
  database.close()
}
