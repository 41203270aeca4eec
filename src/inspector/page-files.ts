import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal } from './refusal.ts'
import { respond } from './respond.ts'

/** From here and from `dist/inspector` this is the same folder. */
const folder = fileURLToPath(new URL('../../dist/inspector/page/', import.meta.url))

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

let loaded: Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> | undefined

/** The names are those that the build wrote: no path of a request reaches the file system. */
export async function respondFile(name: string): Promise<Response | null> {
  loaded ??= load()
  const file = (await loaded).get(name)
  return file === undefined ? null : respond(file, types[extname(name)] ?? 'application/octet-stream')
}

async function load(): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  try {
    const names = await readdir(folder)
    return new Map(await Promise.all(names.map(async (name) => [name, await readFile(`${folder}${name}`)] as const)))
  } catch (cause) {
    loaded = undefined
    throw Object.assign(new Refusal(500, 'NO_PAGE', 'the page of the inspector is not built: npm run build'), { cause })
  }
}
