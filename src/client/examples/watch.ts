// Prints new posts of a thread as they arrive:
//   node watch.js https://example.org tech 123
import { setTimeout as sleep } from 'node:timers/promises'
import { createSiteClient, type PostView, unpackThread } from 'dtp-site-client'

const [siteUrl, boardId, threadId] = process.argv.slice(2)
if (!siteUrl || !boardId || !threadId) {
  console.error('Usage: watch SITE BOARD THREAD')
  process.exit(2)
}

const { board, site } = createSiteClient(siteUrl)
let newest = 0

function print(posts: Pick<PostView, 'id' | 'author' | 'content' | 'deleted'>[]): void {
  for (const { id, author, content, deleted } of posts.toSorted((a, b) => a.id - b.id)) {
    // An event also tells that an older post has changed.
    if (id <= newest || deleted) continue
    newest = id
    console.log(`>>${id} ${author}: ${content}`)
  }
}

async function readPosts() {
  const { thread, lastEventId } = unpackThread(
    await board.thread.query({ boardId: `${boardId}`, threadId: `${threadId}` }),
  )
  const posts = [thread, ...thread.comments.flatMap((comment) => [comment, ...comment.replies])]
  return { posts, lastEventId }
}

/** Receives events until the server ends the connection, as it does when it restarts. @returns the last event's id */
const receive = (lastEventId: string) =>
  new Promise<string>((resolve, reject) => {
    let last = lastEventId
    site.events.subscribe(
      { topics: [`thread:${threadId}`], lastEventId },
      {
        onData: async ({ id, data: { change, post } }) => {
          last = id
          if (post) print([post.view])
          // The connection was lost for too long: the server no longer has all events.
          if (change.kind === 'stale') print((await readPosts()).posts)
        },
        onError: reject,
        onComplete: () => resolve(last),
      },
    )
  })

const { posts, lastEventId } = await readPosts()
newest = Math.max(...posts.map(({ id }) => id))
console.log(`Watching ${siteUrl}/dtpchan/board/${boardId}/thread/${threadId}`)
for (let last = lastEventId; ; await sleep(1000)) last = await receive(last)
