import { type HeldPostView, heldPostMessages } from '#src/contract/heldPosts.ts'
import { usePrivateQuery } from '#src/lib/privateQuery.ts'
import { QueryResult } from '#src/ui/admin/QueryResult.tsx'
import { type Fact, Row, Rows } from '#src/ui/admin/Rows.tsx'
import { useActions } from '#src/ui/admin/useActions.tsx'
import { Button } from '#src/ui/Button.tsx'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { prepareNeighbourFocus } from '#src/ui/focus.ts'
import { Nick } from '#src/ui/Nick.tsx'
import { Time } from '#src/ui/Time.tsx'
import { HeldPicture } from './HeldPicture.tsx'
import styles from './HeldPosts.module.css'

/** Lists the posts that wait for a review, with their context. After a decision, the next posts load. */
export function HeldPosts() {
  const query = usePrivateQuery(['held posts'], (client) => client.moderation.held.list.query())
  const { act, busyKey, alert } = useActions(query.refetch)

  function decide(verb: 'approve' | 'refuse', { id }: HeldPostView) {
    const moveFocus = prepareNeighbourFocus(document.getElementById(`held-${id}`)?.closest('li'))
    act(
      {
        key: `${verb} ${id}`,
        run: (client) => client.moderation.held[verb].mutate({ postId: id }),
        done: verb === 'approve' ? `No. ${id} published` : `No. ${id} refused`,
        failed: heldPostMessages[verb],
      },
      { onSuccess: moveFocus },
    )
  }

  return (
    <div className={styles.screen}>
      {alert}
      <QueryResult query={query} failed={heldPostMessages.load}>
        {({ posts, total }) =>
          posts.length === 0 ? (
            <EmptyState>No posts wait for a review.</EmptyState>
          ) : (
            <>
              {total > posts.length && <p className="hint">{`The first ${posts.length} of ${total}.`}</p>}
              <Rows label="Held posts">
                {posts.map((post) => (
                  <Row
                    key={post.id}
                    title={<span id={`held-${post.id}`}>{`/${post.boardId}/ No. ${post.id}`}</span>}
                    facts={heldFacts(post)}
                    actions={
                      <>
                        <Button
                          size="small"
                          aria-describedby={`held-${post.id}`}
                          busy={busyKey === `approve ${post.id}`}
                          onClick={() => decide('approve', post)}
                        >
                          Publish
                        </Button>
                        <Button
                          size="small"
                          variant="danger"
                          aria-describedby={`held-${post.id}`}
                          busy={busyKey === `refuse ${post.id}`}
                          onClick={() => decide('refuse', post)}
                        >
                          Refuse
                        </Button>
                      </>
                    }
                  >
                    <HeldPost post={post} />
                  </Row>
                ))}
              </Rows>
            </>
          )
        }
      </QueryResult>
    </div>
  )
}

function HeldPost({
  post: { id, threadId, threadTitle, parent, author, content, links, hasImage },
}: {
  post: HeldPostView
}) {
  return (
    <div className={styles.post}>
      <p className={styles.place}>
        <Nick name={author} />{' '}
        {id === threadId
          ? `opens “${threadTitle}”`
          : `in ${threadTitle === null ? 'a deleted thread' : `“${threadTitle}”`}`}
      </p>
      {parent && (
        <blockquote className={styles.parent}>
          <Nick name={parent.author} /> {parent.excerpt}
        </blockquote>
      )}
      <p className={styles.content}>{content}</p>
      {links.map((link) => (
        // Plain text: a moderator should not open a link of a spammer by mistake.
        <p key={link} className="data">
          {link}
        </p>
      ))}
      {hasImage && <HeldPicture postId={id} />}
    </div>
  )
}

function heldFacts({ heldFor, createdAt, releaseAt }: HeldPostView): Fact[] {
  const facts: Fact[] = [
    ['Held for', heldFor],
    ['Posted', <Time key="posted" date={createdAt} />],
  ]
  if (releaseAt) facts.push(['Appears', <Time key="appears" date={releaseAt} />])
  return facts
}
