import type { StoreMethod } from '../case.ts'

/** Written by `npm run needs`, which runs the cases and sees what they call. A test compares. */
const neededMethods: Readonly<Record<string, string>> = {
  'adding.2/every-role-in-order': 'addMessages getHistory',
  'adding.2/the-clock-steps-back': 'addMessages getHistory',
  'adding.1/long-batches': 'addMessages getHistory',
  'history.1/no-hidden-limit': 'addMessages getHistory',
  'history.5/an-unknown-session-is-empty': 'addMessages getHistory',
  'adding.5/nothing-changes-nothing': 'addMessages getHistory',
  'adding.4/given-and-returned-copies': 'addMessages getHistory',
  'adding.8/another-handle-reads-it': 'addMessages getHistory',
  'isolation.1/ids-that-look-alike': 'addMessages getHistory',
  'isolation.3/two-conversations-interleaved': 'addMessages getHistory',
  'isolation.3/twenty-conversations-at-once': 'addMessages getHistory',
  'isolation.5/cutting-one-leaves-the-others': 'addMessages getHistory trim clear',
  'clearing.1/empty-and-goes-on': 'addMessages getHistory clear',
  'trimming.1/the-newest-stay': 'addMessages getHistory trim clear',
  'trimming.3/tool-calls-keep-their-results': 'addMessages getHistory trim',
  'trimming.8/nothing-added-meanwhile-is-lost': 'addMessages getHistory trim',
  'values.1/any-text': 'addMessages getHistory',
  'values.2/every-field': 'addMessages getHistory',
  'values.7/kept-or-refused': 'addMessages getHistory',
  'errors.1/impossible-calls-fail': 'addMessages getHistory trim clear',
  'adding.6/fifty-writers-at-once': 'addMessages getHistory',
  'ttl.2/an-expired-session-is-absent': 'addMessages getHistory',
  'ttl.1/every-write-renews-it': 'addMessages getHistory',
  'adding.1/bad-message-at-the-end': 'addMessages getHistory sessionInfo',
  'adding.1/no-part-is-seen': 'addMessages getHistory',
  'adding.3/seqs-go-on-after-cuts':
    'addMessages recordToolCall getHistory clear saveSnapshot rollbackToSnapshot rewind',
  'adding.5/nothing-begins-no-session': 'addMessages sessionInfo',
  'adding.7/wrong-shape-is-refused': 'addMessages recordToolCall addSummary sessionInfo',
  'adding.9/caller-does-not-wait': 'addMessages recordToolCall addSummary getHistory getEntries',
  'adding.10/what-was-read-is-added':
    'addMessages recordToolCall addSummary addEntries getHistory getEntries compact recall',
  'adding.10/all-or-none': 'addEntries sessionInfo',
  'records.1/outside-the-prompt': 'addEntries getHistory getEntries sessionInfo',
  'records.2/stay-through-trim': 'addSummary addEntries getHistory getEntries trim verify',
  'records.2/stay-through-compact': 'addEntries getHistory getEntries compact',
  'records.3/gone-with-clear':
    'addEntries getEntries clear saveSnapshot rollbackToSnapshot rewind fork sweep exportSession importSession',
  'records.4/cut-on-request': 'addEntries getHistory getEntries trim saveSnapshot',
  'operations.1/every-write-repeated':
    'addMessages recordToolCall addSummary addEntries trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork sessionInfo describe expire',
  'operations.1/twice-at-once':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind describe expire',
  'operations.2/repeated-after-cuts':
    'addMessages recordToolCall addSummary getHistory getEntries trim clear saveSnapshot listSnapshots rollbackToSnapshot',
  'operations.3/repeated-before-conditions':
    'addMessages recordToolCall addSummary addEntries trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind sessionInfo describe expire',
  'operations.5/256-operations-remembered': 'addMessages getHistory',
  'operations.6/no-return-from-deletion':
    'addMessages recordToolCall addSummary addEntries getEntries saveSnapshot listSnapshots fork sessionInfo deleteSession deleteAllSessions',
  'operations.6/nor-one-that-expired':
    'addMessages recordToolCall addSummary addEntries getEntries saveSnapshot listSnapshots fork sessionInfo expire sweep',
  'operations.7/rewind-repeated-after-sweep': 'addMessages getHistory rewind sessionInfo deleteSession sweep',
  'operations.4/another-kind-of-write': 'addMessages recordToolCall addSummary getHistory trim clear saveSnapshot',
  'operations.4/last-letter-differs':
    'addMessages recordToolCall addSummary addEntries trim compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork sessionInfo describe expire',
  'operations.4/other-bytes': 'addMessages',
  'operations.4/after-deletion-and-expiry':
    'addMessages trim compact saveSnapshot rewind sessionInfo deleteSession expire sweep',
  'operations.5/unnamed-in-between': 'addMessages trim',
  'operations.8/what-it-added': 'addMessages rewind operation',
  'operations.8/every-kind':
    'addMessages recordToolCall addSummary trim clear compact saveSnapshot rollbackToSnapshot rewind fork deleteSession operation exportSession importSession',
  'operations.8/none': 'addMessages getHistory sessionInfo operation',
  'operations.9/gone': 'addMessages saveSnapshot listSnapshots deleteSnapshot rewind deleteSession sweep operation',
  'operations.9/older-copy-imported': 'addMessages getHistory deleteSession operation exportSession importSession',
  'operations.7/older-copy-imported': 'addMessages getHistory rewind deleteSession exportSession importSession',
  'versions.1/one-of-many-wins': 'addMessages getHistory sessionInfo',
  'versions.1/every-write-renews-it':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind sessionInfo describe expire',
  'versions.1/every-write-against-appends':
    'addMessages recordToolCall addSummary addEntries trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind sessionInfo describe expire',
  'versions.4/tokens-never-match-again': 'addMessages getHistory sessionInfo deleteSession deleteAllSessions expire',
  'versions.5/null-means-no-session':
    'addMessages recordToolCall addSummary getHistory clear saveSnapshot sessionInfo deleteSession',
  'versions.6/what-was-seen-is-gone':
    'addMessages getHistory getEntries saveSnapshot recall deleteSession expire exportSession importSession',
  'versions.8/fork-and-delete-at-version': 'addMessages getHistory fork sessionInfo deleteSession',
  'versions.9/nothing-to-do': 'addMessages getHistory trim clear compact rewind sessionInfo',
  'versions.2/turn-from-before-rollback': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'versions.2/every-write-after-cuts':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind describe expire',
  'versions.3/appends-never-conflict': 'addMessages recordToolCall addSummary getHistory saveSnapshot',
  'versions.3/trims-and-compactions-continue-it':
    'addMessages recordToolCall addSummary addEntries getHistory trim clear compact saveSnapshot sessionInfo describe expire',
  'versions.7/nothing-taken-back-yet':
    'addMessages getEntries trim clear compact saveSnapshot rollbackToSnapshot rewind deleteSession',
  'history.2/exactly-the-newest': 'addMessages getHistory getEntries',
  'history.2/turns-between-tool-calls': 'addMessages recordToolCall getHistory getEntries',
  'history.3/messages-and-everything': 'addMessages recordToolCall addSummary getHistory getEntries',
  'history.4/read-without-rolling-back':
    'addMessages addSummary getHistory getEntries clear saveSnapshot recall sessionInfo',
  'history.5/reading-creates-nothing':
    'getHistory getEntries trim clear listSnapshots rewind fork recall sessionInfo listSessions deleteSession expire verify',
  'history.6/read-with-its-version': 'session addMessages getHistory',
  'history.7/wrong-options':
    'addMessages getHistory getEntries trim compact rollbackToSnapshot rewind recall sessionInfo listSessions',
  'history.8/pages-in-both-directions': 'addMessages recordToolCall getHistory getEntries',
  'history.8/pages-follow-the-path': 'addMessages getHistory compact saveSnapshot rollbackToSnapshot',
  'history.8/unread-seq-is-refused': 'addMessages getHistory getEntries trim saveSnapshot rewind',
  'history.8/senseless-pages': 'addMessages getHistory getEntries',
  'trimming.1/in-view-and-for-good': 'addMessages getHistory trim',
  'trimming.2/system-messages-stay': 'addMessages getHistory trim',
  'trimming.2/system-messages-of-long-history': 'addMessages getHistory',
  'trimming.3/no-call-without-results': 'addMessages getHistory trim',
  'trimming.3/calls-of-every-provider': 'addMessages getHistory',
  'trimming.4/newest-group-over-budget': 'addMessages getHistory trim',
  'trimming.5/waiting-call-stays': 'addMessages getHistory trim',
  'trimming.6/tokens-and-both-budgets': 'addMessages getHistory trim compact',
  'trimming.7/records-go-summaries-stay': 'addMessages recordToolCall addSummary getEntries trim recall',
  'trimming.8/trimming-under-50-writers': 'addMessages getHistory trim',
  'trimming.9/begins-with-a-user': 'addMessages getHistory trim',
  'trimming.9/far-back-and-after-a-summary': 'addMessages getHistory trim compact',
  'trimming.5/every-pair-of-chats': 'addMessages getHistory trim',
  'trimming.5/every-pair-of-responses': 'addMessages getHistory trim',
  'trimming.5/every-pair-of-agents': 'addMessages getHistory trim',
  'clearing.1/cleared-keeps-snapshots':
    'addMessages addSummary getHistory getEntries clear saveSnapshot listSnapshots rollbackToSnapshot recall',
  'clearing.2/clear-all-deletes-none': 'addMessages getHistory clearAll listSessions deleteAllSessions',
  'clearing.3/erases-no-other': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot deleteSession',
  'clearing.3/never-mixed-with-successor': 'addMessages getHistory deleteSession',
  'compaction.1/summary-in-place': 'addMessages getHistory getEntries compact recall',
  'compaction.1/earlier-summary-replaced': 'addMessages addSummary getHistory compact recall',
  'compaction.2/appended-meanwhile':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots',
  'compaction.3/two-compactions-at-once': 'addMessages getHistory compact',
  'compaction.3/summary-from-before-rollback': 'addMessages getHistory compact saveSnapshot rollbackToSnapshot',
  'compaction.4/no-summary-no-change': 'addMessages getEntries compact',
  'compaction.5/calls-with-their-results': 'addMessages getHistory compact',
  'compaction.6/undone-turn-by-turn':
    'addMessages getHistory getEntries trim compact saveSnapshot rollbackToSnapshot sweep',
  'compaction.7/kept-by-tokens': 'addMessages getHistory compact',
  'compaction.8/role-of-the-summary': 'addMessages getHistory compact saveSnapshot fork',
  'compaction.9/summary-as-the-caller-shows-it': 'addMessages getHistory getEntries compact',
  'ttl.1/every-write-and-no-read':
    'addMessages recordToolCall addSummary getHistory getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind recall sessionInfo listSessions describe verify exportSession',
  'ttl.2/absent-in-every-operation':
    'addMessages addSummary getHistory getEntries trim saveSnapshot listSnapshots rollbackToSnapshot fork recall sessionInfo listSessions deleteSession expire verify sweep',
  'ttl.2/expires-though-reopened': 'addMessages getHistory',
  'ttl.3/nothing-of-the-old':
    'addMessages addSummary getHistory saveSnapshot listSnapshots recall sessionInfo expire verify',
  'ttl.4/a-moment-that-has-passed': 'addMessages getHistory sessionInfo deleteSession expire',
  'ttl.4/absolute-sliding-and-never': 'addMessages getHistory clear sessionInfo expire',
  'ttl.5/impossible-ttl': 'addMessages sessionInfo expire',
  'ttl.6/clock-steps-back-and-forth': 'addMessages getHistory sessionInfo',
  'ttl.6/expiry-beyond-the-ttl':
    'addMessages addSummary clear saveSnapshot sessionInfo deleteSession expire exportSession importSession',
  'ttl.7/when-opened': 'addMessages getHistory saveSnapshot expire verify stats',
  'ttl.7/while-writing': 'addMessages getHistory saveSnapshot expire stats',
  'ttl.7/a-margin-of-a-day': 'addMessages getHistory saveSnapshot expire sweep stats',
  'owners.1/every-write-that-begins': 'addMessages recordToolCall addSummary saveSnapshot sessionInfo deleteSession',
  'owners.2/the-parts-that-are-given': 'addMessages getHistory sessionInfo describe',
  'owners.2/no-session': 'addMessages sessionInfo deleteSession describe expire',
  'owners.3/no-change-of-the-path-touches-them':
    'addMessages trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind sessionInfo describe sweep',
  'owners.3/taken-along': 'addMessages saveSnapshot fork sessionInfo listSessions describe exportSession importSession',
  'owners.6/metadata-as-given': 'addMessages sessionInfo listSessions describe',
  'owners.4/owners-that-look-alike': 'addMessages listSessions',
  'owners.4/last-written-first': 'addMessages clear saveSnapshot sessionInfo listSessions describe',
  'owners.4/given-away-deleted-expired': 'addMessages sessionInfo listSessions deleteSession describe expire',
  'owners.4/page-by-page': 'addMessages sessionInfo listSessions',
  'owners.5/every-session-of-the-owner':
    'addMessages getHistory clear saveSnapshot listSnapshots listSessions deleteSessions describe expire verify stats',
  'recall.1/exact-top-k': 'addSummary recall',
  'recall.2/only-what-is-read':
    'addMessages addSummary clear compact saveSnapshot rollbackToSnapshot rewind fork recall',
  'recall.2/after-a-sweep': 'addMessages addSummary trim recall verify sweep',
  'recall.2/gone-and-imported-again': 'addMessages addSummary recall expire exportSession importSession',
  'recall.3/other-dimensions': 'addSummary saveSnapshot rewind recall',
  'recall.4/bit-by-bit': 'addMessages addSummary getEntries compact recall',
  'recall.5/embeddings-that-another-handle-changed': 'addSummary recall deleteSession exportSession importSession',
  'transfer.1/copy-holds-all':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots rollbackToSnapshot rewind recall sessionInfo expire exportSession',
  'transfer.1/copy-of-one-moment':
    'addMessages trim saveSnapshot deleteSnapshot verify sweep exportSession importSession',
  'transfer.2/reads-and-exports-the-same':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots rollbackToSnapshot rewind recall sessionInfo expire verify exportSession importSession',
  'transfer.2/goes-on-where-it-stood':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo expire verify sweep exportSession importSession',
  'transfer.2/empty-cleared-snapshots-alone':
    'addMessages getHistory getEntries clear saveSnapshot listSnapshots recall sessionInfo exportSession importSession',
  'transfer.2/same-import-again':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo deleteSession expire exportSession importSession',
  'transfer.3/import-over-existing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind expire exportSession importSession',
  'transfer.5/no-session-to-export': 'addMessages listSessions expire exportSession',
  'transfer.2/largest-numbers':
    'addMessages addSummary getHistory trim saveSnapshot rollbackToSnapshot recall sessionInfo expire verify sweep exportSession importSession',
  'transfer.4/entry-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/first-entry-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/last-entry-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/every-entry-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshot-entry-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entries-out-of-order':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-null':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-without-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-twice':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-nothing-reads':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/body-cut-short':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-of-future-format':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-of-unknown-kind':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/bytes-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/bytes-cut-short':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/embedding-cut-short':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/seq-not-an-integer':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/path-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshot-path-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/path-overlaps-itself':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/path-closed':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/path-without-end':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/log-without-end':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshot-id-twice':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshot-beyond-the-end':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/label-not-text':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/ttl-negative':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/ttl-beyond-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/ttl-leaves-no-room':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/counter-at-its-limit':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/counter-not-exact':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/epoch-at-its-limit':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/log-at-its-limit':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/ends-after-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/ended-before-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/began-after-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/began-before-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/changed-after-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entry-time-out-of-range':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshot-time-out-of-range':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshot-after-the-session':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/head-field-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/snapshots-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/nonce-malformed':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/unknown-field':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/id-empty':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.6/long-import-is-whole':
    'addMessages getHistory trim saveSnapshot listSnapshots sessionInfo listSessions verify exportSession importSession',
  'transfer.6/one-of-two-imports': 'addMessages getHistory verify exportSession importSession',
  'transfer.6/damaged-at-its-end': 'addMessages getHistory listSessions verify exportSession importSession',
  'isolation.1/hostile-ids':
    'addMessages addSummary getHistory clear saveSnapshot listSnapshots rollbackToSnapshot recall listSessions deleteSession',
  'isolation.2/ill-formed-ids':
    'session addMessages recordToolCall addSummary getHistory getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo listSessions deleteSession expire exportSession',
  'isolation.1/a-thousand-sessions': 'addMessages getHistory',
  'isolation.4/page-by-page': 'addMessages listSessions',
  'values.1/nul-and-lone-surrogates': 'addMessages getHistory',
  'values.3/bytes-anywhere': 'addMessages recordToolCall addSummary getHistory getEntries',
  'values.4/looks-like-our-encoding': 'addMessages getHistory',
  'values.5/deep-and-too-deep': 'addMessages getHistory',
  'values.6/refused-with-its-place': 'addMessages getHistory sessionInfo',
  'values.9/any-object': 'addMessages getHistory',
  'values.10/same-json': 'addMessages recordToolCall addSummary getHistory getEntries',
  'values.8/answers-that-change': 'addMessages recordToolCall addSummary addEntries getEntries verify',
  'sweeping.1/only-what-nobody-reads':
    'addMessages getHistory getEntries trim clear saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind verify sweep stats',
  'sweeping.1/all-at-once-agree': 'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot verify sweep',
  'sweeping.2/stats-before-a-sweep':
    'addMessages recordToolCall clear saveSnapshot rollbackToSnapshot rewind sessionInfo expire sweep stats',
  'sweeping.3/progress-is-told': 'addMessages clear verify sweep stats',
  'sweeping.4/small-without-a-sweep': 'addMessages trim clear deleteSnapshot rewind stats',
  'turns.1/one-at-a-time': 'addMessages getHistory withTurn',
  'turns.1/sessions-do-not-wait': 'addMessages getHistory withTurn',
  'turns.2/in-the-order-they-came': 'addMessages withTurn',
  'turns.2/busy': 'addMessages getHistory withTurn',
  'turns.3/ends-with-its-function': 'sessionInfo withTurn',
  'turns.4/renewed': 'addMessages getHistory withTurn',
  'turns.7/others-are-not-blocked': 'addMessages getHistory trim clear deleteSession withTurn',
  'turns.8/no-content': 'addMessages getHistory sessionInfo listSessions expire verify withTurn exportSession',
  'turns.9/inside-a-turn': 'addMessages getHistory withTurn',
  'turns.12/closing': 'addMessages getHistory withTurn close',
  'turns.3/every-write':
    'addMessages recordToolCall addSummary addEntries getHistory trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire withTurn',
  'turns.5/every-write-refused':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind sessionInfo listSessions deleteSession describe expire withTurn',
  'turns.5/taken-over': 'addMessages getHistory clear withTurn',
  'turns.5/nothing-left-to-write': 'addMessages getHistory withTurn',
  'turns.5/ended': 'addMessages getHistory withTurn',
  'turns.6/repeated-operation': 'addMessages getHistory withTurn',
  'signals.1/aborted-before': 'addMessages getHistory getEntries compact verify sweep',
  'signals.1/aborted-on-the-way': 'addMessages getHistory getEntries rewind verify sweep',
  'signals.2/compaction-aborted': 'addMessages getHistory getEntries compact',
  'signals.2/waiting-aborted': 'addMessages getHistory withTurn',
  'signals.1/passed-to-the-turn': 'addMessages getHistory withTurn',
  'closing.1/every-call-after-close':
    'session addMessages recordToolCall addSummary getHistory getEntries trim clear clearAll compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo listSessions deleteSession deleteAllSessions expire verify sweep operation withTurn stats exportSession importSession health close',
  'closing.2/close-waits': 'addMessages compact sessionInfo close',
  'closing.3/await-using-closes': 'addMessages getHistory',
  'health.1/health-says-what-is-there': 'health',
  'transfer.2/copies-of-an-older-version':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots rollbackToSnapshot rewind recall sessionInfo expire verify exportSession importSession',
  'adding.8/handle-on-a-session':
    'session addMessages recordToolCall addSummary addEntries getHistory getEntries trim clear compact saveSnapshot paths rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo deleteSession describe expire verify sweep operation withTurn stats',
  'trimming.1/every-cut': 'addEntries getHistory getEntries trim',
  'trimming.5/every-waiting-call': 'addEntries getHistory getEntries trim',
  'trimming.3/every-distance': 'addEntries getHistory getEntries trim',
  'compaction.7/every-cut': 'addMessages getHistory trim compact',
  'errors.2/every-error':
    'addMessages addSummary getHistory getEntries trim clear saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo describe sweep operation exportSession',
  'values.10/every-field-as-entries': 'addEntries getEntries',
  'values.10/every-field-written-one-by-one': 'addMessages recordToolCall addSummary getEntries',
  'values.10/every-field-by-kind': 'addEntries getEntries',
  'values.10/every-field-in-pages': 'addEntries getEntries',
  'values.10/every-field-at-a-snapshot': 'addEntries getEntries clear saveSnapshot',
  'values.10/every-field-after-a-rollback': 'addEntries getEntries clear saveSnapshot rollbackToSnapshot',
  'values.10/every-field-in-a-fork': 'addEntries getEntries fork',
  'values.10/every-field-in-a-copy': 'addEntries getEntries exportSession importSession',
  'values.10/every-field-of-an-operation': 'addEntries operation',
  'values.10/every-field-cut-by-a-rewind': 'addEntries rewind',
  'values.10/every-field-added-again': 'addEntries getEntries',
  'values.10/every-field-in-a-turn': 'addEntries getEntries withTurn',
  'values.10/every-field-beside-a-cut': 'addMessages addEntries getEntries trim compact',
  'values.10/every-field-recalled': 'addSummary recall',
  'values.10/every-field-as-history': 'addMessages getHistory',
  'values.10/every-field-as-history-later': 'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot fork',
  'values.10/every-field-to-be-counted-and-summarized': 'addMessages getHistory compact',
  'history.7/every-option-of-addMessages': 'addMessages getHistory',
  'history.7/every-option-of-recordToolCall': 'addMessages recordToolCall getHistory',
  'history.7/every-option-of-addSummary': 'addMessages addSummary getHistory',
  'history.7/every-option-of-addEntries': 'addMessages addEntries getHistory',
  'history.7/every-option-of-getHistory': 'addMessages getHistory',
  'history.7/every-option-of-getEntries': 'addMessages getHistory getEntries',
  'history.7/every-option-of-recall': 'addMessages getHistory recall',
  'history.7/every-option-of-trim': 'addMessages getHistory trim',
  'history.7/every-option-of-clear': 'addMessages getHistory clear',
  'history.7/every-option-of-compact': 'addMessages getHistory compact',
  'history.7/every-option-of-saveSnapshot': 'addMessages getHistory saveSnapshot',
  'history.7/every-option-of-rollbackToSnapshot': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'history.7/every-option-of-deleteSnapshot': 'addMessages getHistory saveSnapshot deleteSnapshot',
  'history.7/every-option-of-rewind': 'addMessages getHistory rewind',
  'history.7/every-option-of-fork': 'addMessages getHistory fork',
  'history.7/every-option-of-deleteSession': 'addMessages getHistory deleteSession',
  'history.7/every-option-of-deleteSessions': 'addMessages getHistory deleteSessions',
  'history.7/every-option-of-describe': 'addMessages getHistory describe',
  'history.7/every-option-of-expire': 'addMessages getHistory expire',
  'history.7/every-option-of-listSessions': 'addMessages getHistory listSessions',
  'history.7/every-option-of-verify': 'addMessages getHistory verify',
  'history.7/every-option-of-sweep': 'addMessages getHistory sweep',
  'history.7/every-option-of-withTurn': 'addMessages getHistory withTurn',
  'history.4/every-change-later-history':
    'addMessages addSummary addEntries getHistory trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'history.4/every-change-later-the-newest':
    'addMessages addSummary addEntries getHistory trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'history.4/every-change-later-budgets':
    'addMessages addSummary addEntries getHistory trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'history.4/every-change-later-pages':
    'addMessages addSummary addEntries getHistory trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'history.4/every-change-later-entries':
    'addMessages addSummary addEntries getEntries trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'history.4/every-change-later-entries-by-kind':
    'addMessages addSummary addEntries getEntries trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'history.4/every-change-later-recall':
    'addMessages addSummary addEntries trim clear compact saveSnapshot rollbackToSnapshot rewind recall sweep',
  'adding.7/every-place': 'addMessages recordToolCall addSummary addEntries getHistory compact rewind',
  'isolation.4/every-page-boundary': 'addMessages listSessions',
  'owners.4/every-page-boundary': 'addMessages listSessions',
  'history.8/every-page-size': 'addMessages getHistory getEntries',
  'history.2/every-number': 'addMessages getHistory',
  'adding.10/every-size': 'addEntries getEntries',
  'forking.1/every-size': 'addMessages getHistory fork',
  'transfer.2/every-size': 'addMessages getHistory exportSession importSession',
  'recall.1/every-number': 'addSummary recall',
  'snapshots.2/every-number': 'addMessages getHistory saveSnapshot listSnapshots',
  'transfer.4/every-field-of-head':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo describe expire exportSession importSession',
  'transfer.4/every-field-of-about':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo describe expire exportSession importSession',
  'transfer.4/every-field-of-epochs':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo describe expire exportSession importSession',
  'transfer.4/every-field-of-snapshots':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo describe expire exportSession importSession',
  'transfer.4/every-field-of-entries':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo describe expire exportSession importSession',
  'transfer.4/every-field-of-a-copy':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo describe expire exportSession importSession',
  'snapshots.1/the-conversation-of-then': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'snapshots.2/the-other-snapshots-stay': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.4/an-unknown-snapshot-changes-nothing': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'snapshots.5/after-trim-and-clear': 'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot',
  'snapshots.2/saved-at-once': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.8/during-a-rollback': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.2/they-outlive-their-handles': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.1/exact-state-comes-back':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'snapshots.2/earlier-and-later-survive': 'addMessages getEntries saveSnapshot listSnapshots rollbackToSnapshot sweep',
  'snapshots.3/rollback-rolled-back':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.3/newest-ten-stay':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.8/turns-added-meanwhile': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'snapshots.4/unknown-and-foreign-ids':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot fork sessionInfo',
  'snapshots.5/empty-cleared-trimmed-compacted':
    'addMessages getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.6/any-text-and-taken-ids': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.7/deleted-takes-nothing-along':
    'addMessages recordToolCall addSummary getEntries clear saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot sweep',
  'snapshots.7/deleted-and-saved-again':
    'addMessages getHistory clear saveSnapshot rollbackToSnapshot deleteSnapshot sessionInfo verify sweep',
  'rewinding.1/cut-and-returned': 'addMessages recordToolCall addSummary getHistory getEntries saveSnapshot rewind',
  'rewinding.1/path-that-does-not-ascend': 'addMessages getHistory compact rewind',
  'rewinding.3/same-message-edited-twice': 'addMessages recordToolCall addSummary getHistory getEntries compact rewind',
  'rewinding.3/nearest-seqs': 'addMessages getHistory trim compact rewind fork sessionInfo',
  'rewinding.4/replaced-at-once': 'addMessages getHistory rewind',
  'rewinding.4/long-path': 'addMessages getHistory rollbackToSnapshot rewind verify sweep',
  'rewinding.4/begins-a-session': 'getHistory rewind sessionInfo',
  'rewinding.5/saves-what-it-leaves': 'addMessages getHistory listSnapshots rollbackToSnapshot rewind',
  'operations.1/edit-repeated': 'addMessages getHistory rewind sessionInfo deleteSession',
  'rewinding.6/entries-of-every-kind':
    'addMessages recordToolCall addSummary addEntries getHistory getEntries rewind recall sessionInfo',
  'rewinding.6/each-kept-or-returned': 'addEntries getEntries rewind verify',
  'forking.1/goes-its-own-way':
    'addMessages recordToolCall addSummary getHistory getEntries clear saveSnapshot listSnapshots fork deleteSession',
  'forking.2/fork-over-existing': 'addMessages getHistory clear saveSnapshot fork sessionInfo',
  'forking.4/unknown-source': 'addMessages saveSnapshot fork sessionInfo deleteSession',
  'forking.5/up-to-a-seq': 'addMessages getHistory compact saveSnapshot fork sessionInfo',
  'forking.6/covers-in-the-new-numbers':
    'addMessages recordToolCall addSummary addEntries getEntries trim compact fork',
  'forking.3/long-fork-is-whole': 'addMessages getHistory getEntries fork sessionInfo listSessions verify',
  'forking.3/one-of-two-forks': 'addMessages getHistory fork listSessions verify',
  'forking.3/same-fork-again': 'addMessages getHistory fork deleteSession',
  'paths.1/epochs-causes-and-snapshots':
    'addMessages getHistory getEntries trim clear compact saveSnapshot listSnapshots paths rollbackToSnapshot rewind sessionInfo',
  'paths.1/of-no-session': 'saveSnapshot paths sessionInfo deleteSession',
  'processes.1/the-next-process-goes-on': 'addMessages getHistory',
  'processes.1/every-field-of-every-session': 'addMessages getHistory',
  'processes.1/every-kind-and-bytes': 'addMessages recordToolCall addSummary getEntries',
  'processes.1/what-was-cut-stays-cut': 'addMessages getHistory trim clear',
  'processes.5/one-saves-another-rolls-back': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'closing.4/process-ends-by-itself': 'addMessages getHistory',
  'processes.2/killed-between-two-writes': 'addMessages getHistory',
  'processes.2/killed-within-a-batch': 'addMessages getHistory',
  'processes.2/killed-writing-long-conversations': 'addMessages getHistory',
  'processes.5/killed-after-a-rollback': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'processes.7/killed-within-a-fork': 'addMessages getHistory fork sessionInfo listSessions verify',
  'processes.7/killed-within-an-import':
    'addMessages getHistory sessionInfo listSessions verify exportSession importSession',
  'processes.3/three-write-to-one-conversation': 'addMessages getHistory',
  'processes.3/conversations-of-their-own': 'addMessages getHistory',
  'processes.3/one-trims-while-another-writes': 'addMessages getHistory trim',
  'processes.4/changes-elsewhere-are-seen': 'addMessages getHistory trim clear',
  'processes.4/rollbacks-elsewhere-are-seen': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'processes.3/operation-in-two-processes': 'addMessages getHistory',
  'processes.3/one-winner-of-a-version': 'addMessages getHistory',
  'processes.6/four-begin-at-once': 'addMessages getHistory',
  'turns.1/eight-processes': 'addMessages getHistory withTurn',
  'turns.10/killed': 'addMessages getHistory withTurn',
  'turns.10/stopped': 'addMessages getHistory withTurn',
  'faults.1/addMessages-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/recordToolCall-under-every-fault':
    'addMessages recordToolCall getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/addSummary-under-every-fault': 'addMessages addSummary getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/addEntries-under-every-fault': 'addMessages addEntries getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/trim-under-every-fault': 'addMessages getEntries trim saveSnapshot listSnapshots sessionInfo',
  'faults.1/clear-under-every-fault': 'addMessages getEntries clear saveSnapshot listSnapshots sessionInfo',
  'faults.1/compact-under-every-fault': 'addMessages getEntries compact saveSnapshot listSnapshots sessionInfo',
  'faults.1/saveSnapshot-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/rollbackToSnapshot-under-every-fault':
    'addMessages getEntries saveSnapshot listSnapshots rollbackToSnapshot sessionInfo',
  'faults.1/deleteSnapshot-under-every-fault':
    'addMessages getEntries saveSnapshot listSnapshots deleteSnapshot sessionInfo',
  'faults.1/rewind-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots rewind sessionInfo',
  'faults.1/edit-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots rewind sessionInfo',
  'faults.1/fork-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots fork sessionInfo',
  'faults.1/expire-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo expire',
  'faults.1/describe-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo describe',
  'faults.1/deleteSession-under-every-fault':
    'addMessages getEntries saveSnapshot listSnapshots sessionInfo deleteSession',
  'deadlines.1/a-backend-that-never-answers': 'addMessages getHistory rewind deleteSession sweep',
  'deadlines.2/tried-again-applied-once': 'addMessages getHistory saveSnapshot listSnapshots',
  'clearing.4/deletion-with-lost-answer': 'addMessages getHistory deleteSession',
  'deadlines.2/unknown-stays-unknown': 'addMessages getHistory',
  'faults.1/writers-at-random': 'addMessages getHistory',
  'faults.2/nothing-waits-forever': 'addMessages getHistory getEntries trim clear listSnapshots sessionInfo',
  'faults.3/after-an-outage': 'addMessages getHistory',
  'faults.4/failed-read-is-an-error': 'addMessages addSummary getHistory getEntries saveSnapshot listSnapshots recall',
  'rewinding.2/turns-added-before-each-commit':
    'addMessages getHistory clear saveSnapshot listSnapshots rewind verify sweep',
  'rewinding.6/added-before-each-commit': 'addMessages addEntries getEntries rewind verify',
  'operations.1/rewind-repeated-after-writers': 'addMessages rewind',
  'owners.5/taken-up-again': 'addMessages listSessions deleteSession deleteAllSessions deleteSessions stats',
  'owners.5/given-away-meanwhile': 'addMessages getHistory listSessions deleteSessions describe',
  'interleaving.1/addMessages-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/recordToolCall-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/addSummary-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/addEntries-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/trim-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/clear-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/compact-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/saveSnapshot-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/rollbackToSnapshot-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/deleteSnapshot-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/rewind-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/rewind-that-adds-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/fork-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/fork-to-an-entry-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/expire-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/describe-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/deleteSession-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/sweep-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.1/exportSession-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession describe expire verify sweep exportSession importSession',
  'interleaving.2/getHistory-interrupted':
    'addMessages recordToolCall addSummary addEntries getHistory trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork deleteSession describe expire sweep exportSession importSession',
  'interleaving.2/getHistory-of-a-snapshot-interrupted':
    'addMessages recordToolCall addSummary addEntries getHistory trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork deleteSession describe expire sweep exportSession importSession',
  'interleaving.2/getHistory-within-a-budget-interrupted':
    'addMessages recordToolCall addSummary addEntries getHistory trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork deleteSession describe expire sweep exportSession importSession',
  'interleaving.2/getEntries-interrupted':
    'addMessages recordToolCall addSummary addEntries getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork deleteSession describe expire sweep exportSession importSession',
  'interleaving.2/recall-interrupted':
    'addMessages recordToolCall addSummary addEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall deleteSession describe expire sweep exportSession importSession',
  'interleaving.2/verify-interrupted':
    'addMessages recordToolCall addSummary addEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork deleteSession describe expire verify sweep exportSession importSession',
  'loss.6/every-bit-of-the-text': 'addMessages recordToolCall addSummary getHistory getEntries exportSession',
  'loss.6/every-way-to-read-it':
    'addMessages recordToolCall addSummary getHistory getEntries fork recall sessionInfo verify exportSession',
  'loss.1/every-call-that-needs-it':
    'addMessages getHistory getEntries trim compact saveSnapshot fork sessionInfo operation exportSession',
  'loss.4/found-in-several-steps': 'addMessages saveSnapshot verify',
  'deadlines.1/path-keeps-changing':
    'addMessages getHistory trim compact saveSnapshot rollbackToSnapshot rewind deleteSessions',
  'loss.2/one-of-several-sessions':
    'addMessages addSummary getHistory getEntries trim clear clearAll saveSnapshot listSnapshots rewind fork sessionInfo listSessions deleteAllSessions describe expire verify sweep stats exportSession',
  'loss.4/every-kind-of-damage':
    'addMessages addSummary clear saveSnapshot listSnapshots rollbackToSnapshot verify sweep stats',
  'forking.3/a-slice-is-lost':
    'addMessages getHistory fork sessionInfo deleteSession verify exportSession importSession',
  'sweeping.2/copies-that-were-given-up': 'addMessages sweep stats exportSession importSession',
  'history.1/in-small-parts':
    'addMessages addSummary addEntries getHistory getEntries trim compact saveSnapshot rollbackToSnapshot rewind fork recall deleteSession verify operation stats exportSession',
  'rewinding.2/failing-afterwards': 'addMessages getHistory rewind deleteSession',
  'ttl.7/in-slices': 'addMessages getHistory',
  'signals.2/aborted-while-taking': 'addMessages getHistory withTurn',
  'turns.11/cut-off': 'addMessages getHistory withTurn',
  'turns.11/renewed-in-the-end': 'addMessages getHistory withTurn',
  'turns.11/not-ended': 'addMessages getHistory withTurn',
  'faults.1/addMessages-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/recordToolCall-through-a-failing-network':
    'addMessages recordToolCall getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/addSummary-through-a-failing-network':
    'addMessages addSummary getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/addEntries-through-a-failing-network':
    'addMessages addEntries getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/trim-through-a-failing-network': 'addMessages getEntries trim saveSnapshot listSnapshots sessionInfo',
  'faults.1/clear-through-a-failing-network': 'addMessages getEntries clear saveSnapshot listSnapshots sessionInfo',
  'faults.1/compact-through-a-failing-network': 'addMessages getEntries compact saveSnapshot listSnapshots sessionInfo',
  'faults.1/saveSnapshot-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/rollbackToSnapshot-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots rollbackToSnapshot sessionInfo',
  'faults.1/deleteSnapshot-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots deleteSnapshot sessionInfo',
  'faults.1/rewind-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots rewind sessionInfo',
  'faults.1/edit-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots rewind sessionInfo',
  'faults.1/fork-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots fork sessionInfo',
  'faults.1/expire-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo expire',
  'faults.1/describe-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots sessionInfo describe',
  'faults.1/deleteSession-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots sessionInfo deleteSession',
  'faults.3/turns-through-a-failing-network': 'addMessages getHistory',
  'faults.4/read-through-failing-network': 'addMessages getHistory',
  'faults.1/writers-through-a-failing-network': 'addMessages getHistory',
  'model.1/conversations': 'addMessages getHistory trim clear',
  'model.1/snapshots': 'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot',
  'model.1/reopened': 'addMessages getHistory trim clear',
  'model.1/everything':
    'addMessages recordToolCall addSummary addEntries getHistory getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo listSessions deleteSession describe verify sweep',
  'model.1/turns-and-operations':
    'addMessages getHistory clear compact saveSnapshot rollbackToSnapshot rewind deleteSession verify sweep operation withTurn',
}

export function methodsNeededBy(id: string): StoreMethod[] {
  return (neededMethods[id]?.split(' ') ?? []) as StoreMethod[]
}
