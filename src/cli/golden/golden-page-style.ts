/** Light and dark by the reader's own setting, one column on a phone. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #fbfaf8; --card: #ffffff; --text: #1d1f23; --soft: #61656d; --line: #e2e0da; --code: #f4f3ef;
  --old: #b3261e; --old-page: #fdecea; --new: #12703f; --new-page: #e5f5ec; --mark: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15171a; --card: #1d2024; --text: #e8e6e1; --soft: #a0a5ae; --line: #33373d; --code: #16181b;
    --old: #ff9a92; --old-page: #3a1f1e; --new: #6fd8a2; --new-page: #17321f; --mark: #e0b040;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 72rem;
  background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; unicode-bidi: isolate; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; unicode-bidi: isolate; }
h2 span { color: var(--soft); font-weight: 400; }
p { margin: .4rem 0; }
.soft { color: var(--soft); font-size: .875rem; }
code, pre, td, th { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .8125rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; margin: .6rem 0; overflow: hidden; }
.card > b { display: block; padding: .45rem .9rem; font: 600 .8125rem ui-monospace, monospace; border-bottom: 1px solid var(--line); }
.removed > b { color: var(--old); } .added > b { color: var(--new); } .changed > b { color: var(--mark); }
table { width: 100%; border-collapse: collapse; table-layout: fixed; }
th { text-align: left; font-weight: 600; color: var(--soft); }
th, td { padding: .4rem .9rem; vertical-align: top; border-top: 1px solid var(--line); }
tr:first-child > * { border-top: 0; }
th:first-child, td:first-child { width: 11rem; color: var(--soft); }
td div { max-height: 14rem; overflow: auto; white-space: pre-wrap; unicode-bidi: isolate; }
.old { background: var(--old-page); color: var(--old); } .new { background: var(--new-page); color: var(--new); }
pre { margin: 0; padding: .7rem .9rem; white-space: pre-wrap; background: var(--code); max-height: 40rem; overflow: auto; }
pre i { font-style: normal; }
.equal { font-weight: 600; color: var(--new); }
details { margin: .6rem 0; }
summary { cursor: pointer; font-weight: 600; }
.both { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin-top: .6rem; }
.both > div { min-width: 0; }
@media (max-width: 44rem) {
  body { padding: 1.25rem .9rem 3rem; }
  .both { grid-template-columns: 1fr; }
  table, tbody, tr, th, td { display: block; width: auto; }
  tr.heads { display: none; }
  th:first-child, td:first-child { width: auto; padding-bottom: .1rem; }
  .old div::before { content: '− '; } .new div::before { content: '+ '; }
  td + td { border-top: 0; padding-top: .25rem; padding-bottom: .25rem; }
}
`
