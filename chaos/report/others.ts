/** What others publish about their own reliability, each with its source. */
export const others = `## What others publish

- **SQLite** tests crashes and power losses with a layer under the database that holds back writes and then keeps, drops or garbles them, and I/O errors by failing the n-th call for every n, with 640 times as much test code as library code as of 3.33 ([How SQLite Is Tested](https://www.sqlite.org/testing.html)). The power cuts and I/O errors above do the same from outside, with our use of it: our own transactions, settings, checkpoints and acknowledgements.
- **Redis** replicates asynchronously. In 2013, Jepsen showed a partition in which Sentinel lost 56 % of the acknowledged writes ([Jepsen: Redis](https://aphyr.com/posts/283-jepsen-redis)); in 2020 it found 21 issues in development builds of Redis-Raft, all but one fixed soon after ([Redis-Raft 1b3fbf6](https://jepsen.io/analyses/redis-raft-1b3fbf6)). So a failover without \`waitForReplicas\` can lose acknowledged memory, and \`health\` says so.
- **PostgreSQL**: Jepsen found that \`SERIALIZABLE\` of 12.3 was not serializable, on a single server without faults; a fix was announced for the next minor release ([PostgreSQL 12.3](https://jepsen.io/analyses/postgresql-12.3)). unforget does not rely on that level: a commit locks its session.
- **LangGraph** documents when a checkpoint is persisted: before the next step (\`sync\`), while it runs (\`async\`), or when the graph exits (\`exit\`) ([Durability](https://reference.langchain.com/python/langgraph/types/Durability)). Reports by users, open in the copies we could read: under \`sync\`, the order of two writes is not enforced, so that what a crash leaves differs from host to host ([langgraph#8039](https://github.com/langchain-ai/langgraph/issues/8039)); \`langgraph dev\` loses checkpoints if it is not ended in order ([langgraph#8298](https://github.com/langchain-ai/langgraph/issues/8298)).
- **OpenAI Agents SDK** for Python: a bench by a third party injects faults into four of its sessions, and reports for 0.19.4 that 10 invariants held, 4 were violated and 2 did not apply ([agent-runtime-integrity-bench](https://github.com/tonydzi/agent-runtime-integrity-bench/releases/tag/v0.2.0)). We did not repeat it.
- Of the message stores for JavaScript, [docs/peers.md](peers.md) is what our kit found in some.

## What this does not show

- The power cuts are states of a disk that keeps what it was told to sync, and writes sectors of 512 bytes whole. A disk that lies about syncing can lose anything.
- One machine: network partitions between servers, clocks that disagree and disks that fail slowly were not tried.
- On PostgreSQL, canceling a statement that waits for the synchronous standby makes it commit on the primary alone; promotions and canceled statements were therefore not mixed. \`clearAll\`, \`deleteAllSessions\` and expiry are not among the random calls.`
