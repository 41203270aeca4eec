import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'

const files: Readonly<Record<string, readonly [name: string, type: string]>> = {
  '/': ['page.html', 'text/html'],
  '/page.css': ['page.css', 'text/css'],
  '/page.js': ['page.js', 'text/javascript'],
}

/** Sends a file of the page. Returns whether there is one at this path. */
export async function sendPageFile(path: string, response: ServerResponse): Promise<boolean> {
  const file = files[path]
  if (file === undefined) return false
  const body = await readFile(new URL(`page/${file[0]}`, import.meta.url))
  response.writeHead(200, {
    'content-type': `${file[1]}; charset=utf-8`,
    'content-security-policy': "default-src 'self'; img-src data:",
  })
  response.end(body)
  return true
}
