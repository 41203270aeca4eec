/** The additional style of the page of two databases: colors of before and after, one column on a phone. */
export const style = `
:root {
  --old: #b3261e; --old-page: #fdecea; --new: #12703f; --new-page: #e5f5ec; --mark: #8a5a00; --old-mark: #f6c4bf; --new-mark: #b4e3c8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --old: #ff9a92; --old-page: #3a1f1e; --new: #6fd8a2; --new-page: #17321f; --mark: #e0b040; --old-mark: #6d322e; --new-mark: #24583a;
  }
}
body { max-width: 72rem; }
h1 { font-size: 1.6rem; line-height: 1.25; }
h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; unicode-bidi: isolate; }
h2 span { color: var(--soft); font-weight: 400; }
p { margin: .4rem 0; }
.soft { font-size: .875rem; }
td, th { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code, pre, td, th { font-size: .8125rem; }
.card { margin: .6rem 0; overflow: hidden; }
.card > b { display: block; padding: .45rem .9rem; font: 600 .8125rem ui-monospace, monospace; border-bottom: 1px solid var(--line); }
.removed > b { color: var(--old); } .added > b { color: var(--new); } .changed > b { color: var(--mark); }
table { table-layout: fixed; }
th, td { padding: .4rem .9rem; border-top: 1px solid var(--line); }
tr:first-child > * { border-top: 0; }
th:first-child, td:first-child { width: 11rem; color: var(--soft); }
td div { max-height: 14rem; overflow: auto; white-space: pre-wrap; unicode-bidi: isolate; }
.old { background: var(--old-page); color: var(--old); } .new { background: var(--new-page); color: var(--new); }
pre { padding: .7rem .9rem; max-height: 40rem; }
pre i { font-style: normal; }
mark { background: var(--old-mark); color: inherit; font-weight: 700; border-radius: 2px; } .new mark { background: var(--new-mark); }
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
