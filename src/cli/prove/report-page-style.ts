/** The additional style of the report: one column on a phone, black on white on paper. */
export const style = `
:root {
  --good: #1a7f4b; --bad: #c0322b; --none: #a9adb5; --ours: #9a6b00; --late: #7a4fb5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --good: #4cc38a; --bad: #ff7b72; --none: #5c616a; --ours: #e0b040; --late: #b79af0;
  }
}
body { max-width: 62rem; }
h1 { font-size: 1.75rem; line-height: 1.2; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; }
h3 { margin: 0; font-size: 1rem; font-family: ui-monospace, monospace; }
h3, td, dd, li, blockquote { unicode-bidi: isolate; }
p { margin: .5rem 0; }
.small { font-size: .875rem; }
.verdict { font-size: 1.15rem; font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); } .none { color: var(--soft); } .ours { color: var(--ours); } .late { color: var(--late); }
code, pre { font-size: .875em; }
.card { padding: 1rem 1.25rem; margin: .75rem 0; }
.card.bad { border-left: 4px solid var(--bad); color: inherit; }
.card.ours { border-left: 4px solid var(--ours); color: inherit; }
.card.late { border-left: 4px solid var(--late); color: inherit; }
article:target { outline: 2px solid var(--soft); }
a { color: inherit; }
.index td:first-child { width: 40%; }
.command { display: flex; gap: .75rem; align-items: baseline; justify-content: space-between; }
button { font: inherit; font-size: .8125rem; padding: .1rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--code); color: inherit; cursor: pointer; white-space: nowrap; flex: none; }
.matrix { padding: .25rem 1.25rem; }
.matrix table { overflow-wrap: normal; }
.matrix .shape { width: 34%; }
th { font-size: .875rem; }
th, td { padding: .45rem .75rem .45rem 0; }
th:last-child, td:last-child { padding-right: 0; }
.matrix td:nth-child(2) { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tbody + tbody, thead + tbody { border-top: 1px solid var(--line); }
.matrix .why td { padding-top: 0; }
.bar { display: flex; height: 6px; border-radius: 3px; overflow: hidden; background: var(--line); min-width: 5rem; margin-top: .6rem; }
.bar i { display: block; }
.bar .g { background: var(--good); } .bar .b { background: var(--bad); } .bar .n { background: var(--none); opacity: .5; } .bar .o { background: var(--ours); } .bar .l { background: var(--late); }
blockquote { margin: .5rem 0 .75rem; padding-left: .75rem; border-left: 3px solid var(--line); font-size: 1.05rem; }
dl { display: grid; grid-template-columns: 6rem 1fr; gap: .4rem .75rem; margin: 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; min-width: 0; }
pre { padding: .6rem .75rem; border: 1px solid var(--line); border-radius: 6px; max-height: 22rem; }
.cases td { padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line); }
.cases .mark { width: 1.5rem; font-weight: 700; }
.cases code { display: block; }
@media (max-width: 40rem) {
  body { padding: 1.25rem .9rem 3rem; }
  .card { padding: .85rem .9rem; }
  .matrix { padding: .25rem .9rem; }
  .matrix .shape { display: none; }
  .matrix th, .matrix td { padding-right: .35rem; font-size: .8125rem; }
  .matrix th.number, .matrix td:nth-child(2) { white-space: normal; }
  dl { grid-template-columns: 1fr; gap: .15rem; }
  dd { margin-bottom: .6rem; }
}
@media print {
  button { display: none; }
  :root {
    color-scheme: light;
    --page: #fff; --card: #fff; --text: #000; --soft: #444; --line: #bbb; --good: #1a7f4b; --bad: #b02018; --code: #fff; --ours: #7a5500;
  }
  body { max-width: none; padding: 0; font-size: 11pt; }
  pre { max-height: none; overflow: visible; }
  .card, tr { break-inside: avoid; }
  h2 { break-after: avoid; }
}
`
