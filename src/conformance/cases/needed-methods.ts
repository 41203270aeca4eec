import type { StoreMethod } from '../case.ts'

/** Written by `npm run needs`, which runs the cases and sees what they call. A test compares. */
const neededMethods: Readonly<Record<string, string>> = {
  'adding.2/turns-of-every-role-in-order': 'addMessages getHistory',
  'adding.2/the-clock-steps-back': 'addMessages getHistory',
  'adding.1/batches-over-100-and-over-1000': 'addMessages getHistory',
  'history.1/no-hidden-limit': 'addMessages getHistory',
  'history.5/an-unknown-session-is-empty': 'addMessages getHistory',
  'adding.5/nothing-changes-nothing': 'addMessages getHistory',
  'adding.4/what-was-given-and-returned-is-a-copy': 'addMessages getHistory',
  'adding.8/another-handle-reads-what-was-acknowledged': 'addMessages getHistory',
  'isolation.1/ids-that-look-alike': 'addMessages getHistory',
  'isolation.3/two-conversations-interleaved': 'addMessages getHistory',
  'isolation.3/twenty-conversations-at-once': 'addMessages getHistory',
  'isolation.5/cutting-one-leaves-the-others': 'addMessages getHistory trim clear',
  'clearing.1/an-empty-session-that-goes-on': 'addMessages getHistory clear',
  'trimming.1/the-newest-stay': 'addMessages getHistory trim clear',
  'trimming.3/tool-calls-keep-their-results': 'addMessages getHistory trim',
  'trimming.8/nothing-added-meanwhile-is-lost': 'addMessages getHistory trim',
  'values.1/any-text': 'addMessages getHistory',
  'values.2/every-field': 'addMessages getHistory',
  'values.7/kept-or-refused': 'addMessages getHistory',
  'errors.1/what-cannot-be-done-is-an-error': 'addMessages getHistory trim clear',
  'adding.6/fifty-writers-at-once': 'addMessages getHistory',
  'ttl.2/an-expired-session-is-absent': 'addMessages getHistory',
  'ttl.1/every-write-renews-it-and-only-that-session': 'addMessages getHistory',
  'adding.1/a-bad-message-at-the-end-of-a-batch': 'addMessages getHistory sessionInfo',
  'adding.1/a-reader-never-sees-part-of-a-batch': 'addMessages getHistory',
  'adding.3/seqs-go-on-after-a-clear-a-rollback-and':
    'addMessages recordToolCall getHistory clear saveSnapshot rollbackToSnapshot rewind',
  'adding.5/adding-nothing-changes-nothing-and-begins-no-session': 'addMessages sessionInfo',
  'adding.7/messages-of-a-wrong-shape-are-refused-with-the': 'addMessages recordToolCall addSummary sessionInfo',
  'adding.9/a-caller-that-does-not-wait': 'addMessages recordToolCall addSummary getHistory getEntries',
  'operations.1/every-write-repeated-under-its-id-returns-the-first':
    'addMessages recordToolCall addSummary trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork sessionInfo expire',
  'operations.1/the-same-operation-twice-at-once-is-applied-once':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind expire',
  'operations.2/a-repeated-add-returns-the-first-seqs-after-a':
    'addMessages recordToolCall addSummary getHistory getEntries trim clear saveSnapshot listSnapshots rollbackToSnapshot',
  'operations.3/a-repeated-operation-is-looked-at-before-its-conditions':
    'addMessages recordToolCall addSummary trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind sessionInfo expire',
  'operations.5/256-operations-are-remembered-whatever-comes-between': 'addMessages getHistory',
  'operations.6/a-retry-does-not-bring-a-deleted-session-back':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots fork sessionInfo deleteSession deleteAllSessions',
  'operations.6/nor-one-that-expired':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots fork sessionInfo expire sweep',
  'operations.7/a-rewind-repeated-after-a-sweep-or-a-deletion':
    'addMessages getHistory rewind sessionInfo deleteSession sweep',
  'operations.4/the-same-id-with-other-content-is-a-conflict':
    'addMessages recordToolCall addSummary getHistory trim clear saveSnapshot',
  'operations.4/anything-else-in-the-content-is-other-content':
    'addMessages recordToolCall addSummary trim compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind sessionInfo expire',
  'operations.4/bytes-are-part-of-the-content': 'addMessages',
  'operations.4/that-holds-for-an-operation-of-a-session-that':
    'addMessages trim compact saveSnapshot rewind sessionInfo deleteSession expire sweep',
  'versions.1/of-many-writers-on-one-version-exactly-one-wins': 'addMessages getHistory sessionInfo',
  'versions.1/every-write-renews-the-version-and-every-write-takes':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind sessionInfo expire',
  'versions.1/every-kind-of-write-races-with-those-who-append':
    'addMessages recordToolCall addSummary trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind sessionInfo expire',
  'versions.4/a-token-from-before-a-deletion-or-an-expiry':
    'addMessages getHistory sessionInfo deleteSession deleteAllSessions expire',
  'versions.5/ifversion-null-applies-only-where-there-is-no-session':
    'addMessages recordToolCall addSummary getHistory clear saveSnapshot sessionInfo deleteSession',
  'versions.6/atleast-tells-when-what-was-seen-is-gone':
    'addMessages getHistory getEntries saveSnapshot recall deleteSession expire',
  'versions.2/a-turn-that-began-before-a-rollback-is-refused': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'versions.2/so-is-one-that-began-before-a-trim-a':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind expire',
  'versions.3/ifepoch-never-conflicts-with-those-who-append-the-first':
    'addMessages recordToolCall addSummary getHistory trim clear saveSnapshot',
  'history.2/last-n-is-exactly-the-newest-n-in-order': 'addMessages getHistory getEntries',
  'history.2/last-n-counts-turns-however-many-tool-calls-are': 'addMessages recordToolCall getHistory getEntries',
  'history.3/the-history-is-messages-entries-are-everything':
    'addMessages recordToolCall addSummary getHistory getEntries',
  'history.4/a-snapshot-is-read-without-rolling-back':
    'addMessages addSummary getHistory getEntries clear saveSnapshot recall sessionInfo',
  'history.5/an-unknown-session-reads-as-empty-and-is-not':
    'getHistory getEntries trim clear listSnapshots rewind fork recall sessionInfo listSessions deleteSession expire verify',
  'history.6/what-was-read-carries-the-version-and-epoch-to': 'session addMessages getHistory',
  'history.7/unknown-options-and-wrong-ones-are-refused':
    'addMessages getHistory getEntries trim compact rollbackToSnapshot rewind recall sessionInfo listSessions',
  'history.8/pages-in-both-directions': 'addMessages recordToolCall getHistory getEntries',
  'history.8/pages-follow-the-path-and-not-the-number':
    'addMessages getHistory compact saveSnapshot rollbackToSnapshot',
  'history.8/a-seq-that-the-path-does-not-read-is-refused':
    'addMessages getHistory getEntries trim saveSnapshot rewind',
  'history.8/pages-that-make-no-sense-are-refused': 'addMessages getHistory getEntries',
  'trimming.1/the-newest-stay-in-the-view-and-for-good': 'addMessages getHistory trim',
  'trimming.2/leading-system-messages-stay-if-asked-and-count': 'addMessages getHistory trim',
  'trimming.2/leading-system-messages-stay-in-a-view-of-a': 'addMessages getHistory',
  'trimming.3/no-cut-parts-a-tool-call-from-its-results': 'addMessages getHistory trim',
  'trimming.3/calls-written-as-the-providers-write-them-are-known': 'addMessages getHistory',
  'trimming.4/a-newest-group-that-exceeds-the-budget-is-kept': 'addMessages getHistory trim',
  'trimming.5/a-call-that-waits-for-its-result-is-not': 'addMessages getHistory trim',
  'trimming.6/tokens-are-counted-by-the-caller-and-both-budgets': 'addMessages getHistory trim compact',
  'trimming.7/tool-call-records-before-the-cut-go-summaries-stay':
    'addMessages recordToolCall addSummary getEntries trim recall',
  'trimming.8/trimming-under-50-writers-ends-and-loses-nothing-that': 'addMessages getHistory trim',
  'clearing.1/a-cleared-session-is-empty-keeps-its-snapshots-and':
    'addMessages addSummary getHistory getEntries clear saveSnapshot listSnapshots rollbackToSnapshot recall',
  'clearing.2/clearall-clears-every-session-and-deletes-none':
    'addMessages getHistory clearAll listSessions deleteAllSessions',
  'clearing.3/deleting-a-session-erases-it-and-no-other':
    'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot deleteSession',
  'clearing.3/a-read-of-many-entries-never-mixes-a-deleted': 'addMessages getHistory deleteSession',
  'compaction.1/the-summary-stands-behind-the-leading-system-messages-in':
    'addMessages getHistory getEntries compact recall',
  'compaction.1/an-earlier-summary-is-among-the-turns-that-the': 'addMessages addSummary getHistory compact recall',
  'compaction.2/what-is-appended-while-the-summary-is-made-is':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots',
  'compaction.3/of-two-compactions-at-once-one-summary-stays-and': 'addMessages getHistory compact',
  'compaction.3/a-summary-made-before-a-rollback-is-not-put':
    'addMessages getHistory compact saveSnapshot rollbackToSnapshot',
  'compaction.4/if-summarise-throws-or-returns-no-summary-nothing-changes': 'addMessages getEntries compact',
  'compaction.5/a-tool-call-and-its-results-are-compacted-together': 'addMessages getHistory compact',
  'compaction.6/a-compaction-is-undone-by-a-rollback-turn-by':
    'addMessages getHistory getEntries trim compact saveSnapshot rollbackToSnapshot sweep',
  'ttl.1/every-write-renews-the-expiry-and-no-read-does':
    'addMessages recordToolCall addSummary getHistory getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind recall sessionInfo listSessions verify exportSession',
  'ttl.2/absent-in-every-operation':
    'addMessages addSummary getHistory getEntries trim saveSnapshot listSnapshots rollbackToSnapshot fork recall sessionInfo listSessions deleteSession expire verify sweep',
  'ttl.2/an-end-after-the-handles-were-closed': 'addMessages getHistory',
  'ttl.3/a-session-begun-again-has-nothing-of-the-old':
    'addMessages addSummary getHistory saveSnapshot listSnapshots recall sessionInfo expire verify',
  'ttl.4/an-absolute-end-does-not-slide-a-ttl-of': 'addMessages getHistory clear sessionInfo expire',
  'ttl.5/a-ttl-that-is-zero-negative-or-not-finite': 'addMessages sessionInfo expire',
  'ttl.6/a-clock-that-steps-back-and-forth': 'addMessages getHistory sessionInfo',
  'ttl.6/an-expiry-further-ahead-than-the-ttl':
    'addMessages addSummary clear saveSnapshot sessionInfo deleteSession expire exportSession importSession',
  'recall.1/the-exact-cosine-top-k-nearest-first': 'addSummary recall',
  'recall.2/only-what-the-path-reads-is-found':
    'addMessages addSummary clear compact saveSnapshot rollbackToSnapshot rewind fork recall',
  'recall.2/what-was-found-in-a-session-that-is-gone':
    'addMessages addSummary recall expire exportSession importSession',
  'recall.3/other-dimensions-are-refused-with-both-numbers': 'addSummary saveSnapshot rewind recall',
  'recall.4/embeddings-come-back-bit-by-bit': 'addMessages addSummary getEntries compact recall',
  'recall.5/embeddings-that-another-handle-changed': 'addSummary recall deleteSession exportSession importSession',
  'transfer.1/a-copy-holds-what-is-read-in-order-and':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots rollbackToSnapshot rewind recall sessionInfo expire exportSession',
  'transfer.1/a-copy-is-of-one-moment-whatever-is-written':
    'addMessages trim saveSnapshot deleteSnapshot verify sweep exportSession importSession',
  'transfer.2/an-imported-session-reads-the-same-everywhere-and-exports':
    'addMessages recordToolCall addSummary getHistory getEntries compact saveSnapshot listSnapshots rollbackToSnapshot rewind recall sessionInfo expire verify exportSession importSession',
  'transfer.2/an-imported-session-goes-on-where-the-other-stood':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo expire verify sweep exportSession importSession',
  'transfer.2/an-empty-a-cleared-and-a-session-with-snapshots':
    'addMessages getHistory getEntries clear saveSnapshot listSnapshots recall sessionInfo exportSession importSession',
  'transfer.2/the-same-import-again-by-its-operation-id-changes':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind sessionInfo deleteSession expire exportSession importSession',
  'transfer.3/importing-a-session-that-exists-is-refused-and-changes':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind expire exportSession importSession',
  'transfer.5/a-session-that-does-not-exist-or-has-expired': 'addMessages listSessions expire exportSession',
  'transfer.2/a-session-at-the-limits-of-its-numbers':
    'addMessages addSummary getHistory trim saveSnapshot rollbackToSnapshot recall sessionInfo expire verify sweep exportSession importSession',
  'transfer.4/an-entry-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-first-entry-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-last-entry-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/every-entry-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-that-only-a-snapshot-reads-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/entries-are-out-of-order':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-is-none':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-has-no-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-comes-twice':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/there-is-an-entry-that-nothing-reads':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-body-is-cut-short':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-has-a-format-of-the-future':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-has-an-unknown-kind':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/bytes-are-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/bytes-are-cut-short':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/bytes-of-an-embedding-are-cut-short':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-seq-is-none':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-path-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-path-of-a-snapshot-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-path-overlaps-itself':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-path-is-closed':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-path-has-no-end':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-log-has-no-end':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-snapshot-id-comes-twice':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-snapshot-lies-beyond-the-end':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-snapshot-has-a-label-that-is-no-text':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-time-to-live-is-negative':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-time-to-live-is-beyond-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-time-to-live-leaves-no-room':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-counter-cannot-go-on':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-counter-is-no-exact-number':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-epoch-cannot-go-on':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-log-cannot-go-on':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/it-ends-after-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/it-ended-before-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/it-began-after-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/it-began-before-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/it-changed-after-all-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/an-entry-is-of-no-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-snapshot-is-of-no-time':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-snapshot-is-later-than-the-session':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/a-field-of-the-head-is-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-snapshots-are-missing':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-nonce-is-none':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/there-is-a-field-too-many':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.4/the-id-is-empty':
    'addMessages recordToolCall addSummary getHistory compact saveSnapshot rollbackToSnapshot rewind listSessions expire exportSession importSession',
  'transfer.6/a-long-import-is-whole-or-not-there':
    'addMessages getHistory trim saveSnapshot listSnapshots sessionInfo listSessions verify exportSession importSession',
  'transfer.6/of-two-long-imports-of-one-session-one-wins': 'addMessages getHistory verify exportSession importSession',
  'transfer.6/a-long-copy-that-is-damaged-at-its-end-leaves-nothing':
    'addMessages getHistory listSessions verify exportSession importSession',
  'isolation.1/sessions-with-hostile-ids-are-all-different':
    'addMessages addSummary getHistory clear saveSnapshot listSnapshots rollbackToSnapshot recall listSessions deleteSession',
  'isolation.2/empty-and-ill-formed-ids-are-refused-by-every':
    'session addMessages recordToolCall addSummary getHistory getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo listSessions deleteSession expire exportSession',
  'isolation.1/a-thousand-sessions': 'addMessages getHistory',
  'isolation.4/sessions-are-listed-page-by-page-each-once': 'addMessages listSessions',
  'values.1/nul-and-lone-surrogates': 'addMessages getHistory',
  'values.3/bytes-come-back-as-the-same-bytes-wherever-they':
    'addMessages recordToolCall addSummary getHistory getEntries',
  'values.4/text-and-data-that-look-like-our-own-encoding': 'addMessages getHistory',
  'values.5/deep-metadata-comes-back-and-what-is-too-deep': 'addMessages getHistory',
  'values.6/what-cannot-be-carried-is-refused-with-its-place': 'addMessages getHistory sessionInfo',
  'values.8/getters-and-proxies-that-change-their-answer': 'addMessages recordToolCall addSummary getEntries verify',
  'sweeping.1/sweeping-removes-what-nobody-reads-and-nothing-else':
    'addMessages getHistory getEntries trim clear saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot verify sweep',
  'sweeping.1/readers-writers-rollbacks-and-sweeps-at-once-agree':
    'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot verify sweep',
  'sweeping.2/stats-counts-what-there-is-and-what-a-sweep':
    'addMessages recordToolCall clear saveSnapshot rollbackToSnapshot rewind sessionInfo expire sweep stats',
  'sweeping.3/verify-and-sweep-tell-how-far-they-are-and': 'addMessages clear verify sweep stats',
  'closing.1/after-close-every-call-rejects-with-its-own-code':
    'session addMessages recordToolCall addSummary getHistory getEntries trim clear clearAll compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall sessionInfo listSessions deleteSession deleteAllSessions expire verify sweep stats exportSession importSession health close',
  'closing.2/close-waits-for-what-was-under-way-and-closing': 'addMessages compact sessionInfo close',
  'closing.3/await-using-closes': 'addMessages getHistory',
  'health.1/health-says-what-is-there': 'health',
  'snapshots.1/the-conversation-of-then': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'snapshots.2/the-other-snapshots-stay': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.4/an-unknown-snapshot-changes-nothing': 'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'snapshots.5/after-a-trim-and-a-clear': 'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot',
  'snapshots.2/saved-at-once': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.8/beside-a-rollback': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.2/they-outlive-their-handles': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.1/a-rollback-brings-the-exact-state-back-summaries-and':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot rollbackToSnapshot rewind sweep',
  'snapshots.2/every-saved-snapshot-survives-every-rollback-earlier-and-later':
    'addMessages getEntries saveSnapshot listSnapshots rollbackToSnapshot sweep',
  'snapshots.3/the-state-left-behind-is-kept-and-a-rollback':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.3/the-newest-ten-automatic-snapshots-stay-never-dropping-the':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.8/a-rollback-loses-none-of-the-turns-that-others':
    'addMessages getHistory saveSnapshot rollbackToSnapshot',
  'snapshots.4/unknown-and-foreign-snapshot-ids-are-refused-and-change':
    'addMessages recordToolCall addSummary getEntries saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot fork sessionInfo',
  'snapshots.5/snapshots-of-an-empty-a-cleared-a-trimmed-and':
    'addMessages getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.6/ids-and-labels-are-any-text-and-a-taken':
    'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'snapshots.7/a-deleted-snapshot-is-gone-and-takes-nothing-else':
    'addMessages recordToolCall addSummary getEntries clear saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot sweep',
  'snapshots.7/an-id-that-is-deleted-and-saved-again-under':
    'addMessages getHistory clear saveSnapshot rollbackToSnapshot deleteSnapshot sessionInfo verify sweep',
  'rewinding.1/rewinding-cuts-behind-a-seq-and-returns-what-it':
    'addMessages recordToolCall addSummary getHistory getEntries saveSnapshot rewind',
  'rewinding.1/along-a-path-that-does-not-ascend-it-cuts': 'addMessages getHistory compact rewind',
  'forking.1/a-fork-is-a-copy-that-goes-its-own':
    'addMessages recordToolCall addSummary getHistory getEntries clear saveSnapshot listSnapshots fork deleteSession',
  'forking.2/a-fork-into-a-session-that-exists-is-refused':
    'addMessages getHistory clear saveSnapshot fork sessionInfo',
  'forking.3/a-long-fork-is-whole-or-not-there':
    'addMessages getHistory getEntries fork sessionInfo listSessions verify',
  'forking.3/of-two-long-forks-into-one-session-one-wins': 'addMessages getHistory fork listSessions verify',
  'forking.3/a-long-fork-by-its-operation-id-is-made-once': 'addMessages getHistory fork',
  'processes.1/the-next-process-goes-on': 'addMessages getHistory',
  'processes.1/every-field-of-every-session': 'addMessages getHistory',
  'processes.1/entries-of-every-kind-and-their-bytes': 'addMessages recordToolCall addSummary getEntries',
  'processes.1/what-was-cut-stays-cut': 'addMessages getHistory trim clear',
  'processes.5/saved-by-one-rolled-back-by-another':
    'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'closing.4/a-process-ends-when-its-handles-are-closed': 'addMessages getHistory',
  'processes.2/killed-between-two-writes': 'addMessages getHistory',
  'processes.2/killed-in-the-middle-of-a-batch': 'addMessages getHistory',
  'processes.2/killed-while-it-writes-to-long-conversations': 'addMessages getHistory',
  'processes.5/killed-after-a-rollback': 'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'processes.7/killed-in-the-middle-of-a-fork': 'addMessages getHistory fork sessionInfo listSessions verify',
  'processes.7/killed-in-the-middle-of-an-import':
    'addMessages getHistory sessionInfo listSessions verify exportSession importSession',
  'processes.3/three-write-to-one-conversation': 'addMessages getHistory',
  'processes.3/conversations-of-their-own': 'addMessages getHistory',
  'processes.3/one-trims-while-another-writes': 'addMessages getHistory trim',
  'processes.4/what-another-process-changed-is-seen-at-once': 'addMessages getHistory trim clear',
  'processes.4/what-another-process-rolled-back-is-seen-at-once':
    'addMessages getHistory saveSnapshot listSnapshots rollbackToSnapshot',
  'processes.3/the-same-operation-in-two-processes': 'addMessages getHistory',
  'processes.3/one-winner-of-a-version': 'addMessages getHistory',
  'processes.6/several-begin-a-memory-at-once': 'addMessages getHistory',
  'faults.1/addMessages-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/recordToolCall-under-every-fault':
    'addMessages recordToolCall getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/addSummary-under-every-fault': 'addMessages addSummary getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/trim-under-every-fault': 'addMessages getEntries trim saveSnapshot listSnapshots sessionInfo',
  'faults.1/clear-under-every-fault': 'addMessages getEntries clear saveSnapshot listSnapshots sessionInfo',
  'faults.1/compact-under-every-fault': 'addMessages getEntries compact saveSnapshot listSnapshots sessionInfo',
  'faults.1/saveSnapshot-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/rollbackToSnapshot-under-every-fault':
    'addMessages getEntries saveSnapshot listSnapshots rollbackToSnapshot sessionInfo',
  'faults.1/deleteSnapshot-under-every-fault':
    'addMessages getEntries saveSnapshot listSnapshots deleteSnapshot sessionInfo',
  'faults.1/rewind-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots rewind sessionInfo',
  'faults.1/fork-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots fork sessionInfo',
  'faults.1/expire-under-every-fault': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo expire',
  'faults.1/deleteSession-under-every-fault':
    'addMessages getEntries saveSnapshot listSnapshots sessionInfo deleteSession',
  'deadlines.1/a-backend-that-never-answers': 'addMessages getHistory',
  'deadlines.2/what-failed-is-tried-again-and-applied-once': 'addMessages getHistory saveSnapshot listSnapshots',
  'clearing.4/a-deletion-whose-answer-was-lost': 'addMessages getHistory deleteSession',
  'deadlines.2/what-stays-unknown-is-told-as-unknown': 'addMessages getHistory',
  'faults.1/writers-at-random': 'addMessages getHistory',
  'faults.2/nothing-waits-for-ever': 'addMessages getHistory getEntries trim clear listSnapshots sessionInfo',
  'faults.3/after-an-outage': 'addMessages getHistory',
  'faults.4/a-read-that-fails-is-an-error':
    'addMessages addSummary getHistory getEntries saveSnapshot listSnapshots recall',
  'rewinding.2/turns-added-before-each-of-its-commits': 'addMessages getHistory listSnapshots rewind verify sweep',
  'operations.1/a-rewind-that-met-writers-returns-the-same-again': 'addMessages rewind',
  'interleaving.1/addMessages-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/recordToolCall-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/addSummary-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/trim-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/clear-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/compact-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/saveSnapshot-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/rollbackToSnapshot-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/deleteSnapshot-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/rewind-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/fork-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/expire-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/deleteSession-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/sweep-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.1/exportSession-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork sessionInfo deleteSession expire verify sweep exportSession importSession',
  'interleaving.2/getHistory-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getHistory trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork deleteSession expire sweep exportSession importSession',
  'interleaving.2/getHistory-of-a-snapshot-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getHistory trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork deleteSession expire sweep exportSession importSession',
  'interleaving.2/getHistory-within-a-budget-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getHistory trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork deleteSession expire sweep exportSession importSession',
  'interleaving.2/getEntries-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary getEntries trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork deleteSession expire sweep exportSession importSession',
  'interleaving.2/recall-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork recall deleteSession expire sweep exportSession importSession',
  'interleaving.2/verify-interrupted-by-every-operation':
    'addMessages recordToolCall addSummary trim clear compact saveSnapshot rollbackToSnapshot deleteSnapshot rewind fork deleteSession expire verify sweep exportSession importSession',
  'loss.6/every-bit-of-the-text': 'addMessages recordToolCall addSummary getHistory getEntries exportSession',
  'loss.6/every-way-to-read-it':
    'addMessages recordToolCall addSummary getHistory getEntries fork recall sessionInfo verify exportSession',
  'faults.1/addMessages-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/recordToolCall-through-a-failing-network':
    'addMessages recordToolCall getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/addSummary-through-a-failing-network':
    'addMessages addSummary getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/trim-through-a-failing-network': 'addMessages getEntries trim saveSnapshot listSnapshots sessionInfo',
  'faults.1/clear-through-a-failing-network': 'addMessages getEntries clear saveSnapshot listSnapshots sessionInfo',
  'faults.1/compact-through-a-failing-network': 'addMessages getEntries compact saveSnapshot listSnapshots sessionInfo',
  'faults.1/saveSnapshot-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo',
  'faults.1/rollbackToSnapshot-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots rollbackToSnapshot sessionInfo',
  'faults.1/deleteSnapshot-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots deleteSnapshot sessionInfo',
  'faults.1/rewind-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots rewind sessionInfo',
  'faults.1/fork-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots fork sessionInfo',
  'faults.1/expire-through-a-failing-network': 'addMessages getEntries saveSnapshot listSnapshots sessionInfo expire',
  'faults.1/deleteSession-through-a-failing-network':
    'addMessages getEntries saveSnapshot listSnapshots sessionInfo deleteSession',
  'faults.3/turns-through-a-failing-network': 'addMessages getHistory',
  'faults.4/a-read-through-a-failing-network': 'addMessages getHistory',
  'faults.1/writers-through-a-failing-network': 'addMessages getHistory',
  'model.1/conversations': 'addMessages getHistory trim clear',
  'model.1/snapshots': 'addMessages getHistory trim clear saveSnapshot rollbackToSnapshot',
  'model.1/reopened': 'addMessages getHistory trim clear',
  'model.1/everything':
    'addMessages recordToolCall addSummary getHistory getEntries trim clear compact saveSnapshot listSnapshots rollbackToSnapshot deleteSnapshot rewind fork recall deleteSession verify sweep',
}

export function methodsNeededBy(id: string): StoreMethod[] {
  return (neededMethods[id]?.split(' ') ?? []) as StoreMethod[]
}
