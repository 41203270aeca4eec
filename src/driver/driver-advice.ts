/** The relevant part of `process.versions`. */
export interface Runtime {
  readonly node: string
  /** The version of Node-API. */
  readonly napi?: string | undefined
}

/** Since 13, the driver is built on Node-API 10. With an older Node-API it crashes, so this is checked before loading it. */
const needsNodeApi = { driver: 13, nodeApi: 10 }

/** Why this driver must not be loaded here, and both ways out; null if it may. */
export function tooNewFor(version: string, runtime: Runtime): string | null {
  if (majorOf(version) < needsNodeApi.driver || hasNodeApi(runtime)) return null
  return `better-sqlite3 ${version} needs Node 22.14 or newer, and this is Node ${runtime.node}: upgrade Node, or run npm install better-sqlite3@12`
}

/** The command that installs a working driver if the installed one has no binary for this Node. */
export function howToBuild(version: string, runtime: Runtime): string {
  if (majorOf(version) >= needsNodeApi.driver) return 'npm install better-sqlite3@12'
  return hasNodeApi(runtime)
    ? 'npm install better-sqlite3@13'
    : 'npm rebuild better-sqlite3 (after npm install-scripts approve better-sqlite3 if npm blocks its script)'
}

function hasNodeApi({ napi }: Runtime): boolean {
  return Number(napi) >= needsNodeApi.nodeApi
}

function majorOf(version: string): number {
  return Number(version.split('.')[0])
}
