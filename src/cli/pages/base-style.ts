/** The style of every page: light or dark by the reader's setting, cards, tables and code. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #ffffff; --text: #1d1f23; --soft: #61656d; --line: #e2e0da; --code: #f4f3ef;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #15171a; --card: #1d2024; --text: #e8e6e1; --soft: #a0a5ae; --line: #33373d; --code: #16181b; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem;
  background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0; unicode-bidi: isolate; }
.soft { color: var(--soft); }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { margin: 0; white-space: pre-wrap; background: var(--code); overflow: auto; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { vertical-align: top; }
`
