import { createHash } from 'node:crypto'
import { baseStyle } from './base-style.ts'

/** Nothing is loaded and nothing runs but a script of ours, named by its hash, whatever a store or a database puts into a page. */
function policyFor(script: string | undefined): string {
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  if (script === undefined) return policy
  return `${policy}; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

export interface Page {
  readonly title: string
  readonly style: string
  readonly body: string
  readonly script?: string
}

/** A self-contained page. The title and the body are HTML; the style is added to the base style. */
export function renderPage({ title, style, body, script }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">
<title>${title}</title>
<style>${baseStyle}${style}</style>
</head>
<body>
${body}${script === undefined ? '' : `\n<script>${script}</script>`}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
