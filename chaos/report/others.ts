/** What others publish about their own reliability, each with its source. */
export const others = `## What others publish

- **SQLite** tests crashes and power losses with a layer under the database that holds back writes and then keeps, drops or garbles them, and I/O errors by failing the n-th call for every n, with 640 times as much test code as library code as of 3.33 ([How SQLite Is Tested](https://www.sqlite.org/testing.html)). The power cuts and I/O errors above do the same from outside, with our use of it: our own transactions, settings, checkpoints and acknowledgements.
- **Redis** replicates asynchronously. In 2013, Jepsen showed a partition in which Sentinel lost 56 % of the acknowledged writes ([Jepsen: Redis](https://aphyr.com/posts/283-jepsen-redis)); in 2020 it found 21 issues in development builds of Redis-Raft, all but one fixed soon after ([Redis-Raft 1b3fbf6](https://jepsen.io/analyses/redis-raft-1b3fbf6)). So a failover without \`waitForReplicas\` can lose acknowledged memory, and \`health\` says so.
- **PostgreSQL**: Jepsen found that \`SERIALIZABLE\` of 12.3 was not serializable, on a single server without faults; a fix was announced for the next minor release ([PostgreSQL 12.3](https://jepsen.io/analyses/postgresql-12.3)). unforget does not rely on that level: a commit locks its session.
- **LangGraph** documents when a checkpoint is persisted: before the next step (\`sync\`), while it runs (\`async\`), or when the graph exits (\`exit\`) ([Durability](https://reference.langchain.com/python/langgraph/types/Durability)). We found no published crash, power cut or failover tests of its savers, nor of the message histories of LangChain or the sessions of the OpenAI Agents SDK. [docs/peers.md](peers.md) is what our kit found in some of them.

## What this does not show

- The power cuts are states of a disk that keeps what it was told to sync, and writes sectors of 512 bytes whole. A disk that lies about syncing can lose anything.
- One machine: network partitions between servers, clocks that disagree and disks that fail slowly were not tried.
- On PostgreSQL, canceling a statement that waits for the synchronous standby makes it commit on the primary alone; promotions and canceled statements were therefore not mixed. \`clearAll\`, \`deleteAllSessions\` and expiry are not among the random calls.`
