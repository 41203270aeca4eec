import { baseStyle } from './base-style.ts'

/** Nothing is loaded and nothing runs, whatever a store or a database puts into a page. */
const policy = "default-src 'none'; style-src 'unsafe-inline'"

/** A self-contained page. The title and the body are HTML; the style is added to the base style. */
export function renderPage({ title, style, body }: { title: string; style: string; body: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${baseStyle}${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
