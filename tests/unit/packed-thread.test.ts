import { describe, expect, test } from 'vitest'
import type { ImageView } from '#src/contract/image.ts'
import type { CommentView, PostRef, PostView } from '#src/contract/post.ts'
import type { ThreadPage } from '#src/contract/thread.ts'
import { packThread, unpackThread } from '#src/lib/packedThread.ts'
import { sampleBoard, samplePost } from '#tests/helpers/sampleViews.ts'

const here = (id: number): PostRef => ({ id, threadId: 1, boardId: 'tech' })
const elsewhere: PostRef = { id: 90, threadId: 80, boardId: 'radio' }
const picture: ImageView = {
  url: '/dtpchan/uploads/a.png',
  width: 1600,
  height: 520,
  bytes: 11_664,
  animated: false,
  preview: { url: '/dtpchan/uploads/a.p.webp', width: 640, height: 208 },
  display: { url: '/dtpchan/uploads/a.d.webp', width: 1360, height: 442 },
}

const post = (id: number, fields: Partial<PostView> = {}): PostView =>
  samplePost(id, {
    content: `post ${id} </script> "quoted" 🗼`,
    createdAt: new Date(Date.UTC(2026, 10, 21, 12, 0, id, 123)),
    ...fields,
  })

const comment = (id: number, fields: Partial<PostView> = {}, replies: PostView[] = []): CommentView => ({
  ...post(id, fields),
  replies,
})

const page = (comments: CommentView[]): ThreadPage => ({
  board: sampleBoard,
  thread: {
    ...post(1, { quotedBy: [here(2), elsewhere] }),
    boardId: 'tech',
    title: 'A thread',
    lastActivity: new Date(0),
    commentCount: comments.length,
    replyCount: 0,
    locked: false,
    pinned: false,
    bumplocked: false,
    cyclical: false,
    archived: false,
    comments,
  },
  lastEventId: '7',
})

/** Unpacks a copy of a packed thread, as the browser does. */
const sent = (packed: ReturnType<typeof packThread>) => unpackThread({ ...packed })

describe('packed thread', () => {
  test.each<[string, CommentView[]]>([
    ['no comments', []],
    ['plain comments', [comment(2), comment(3)]],
    [
      'tripcodes, labels and sage',
      [comment(2, { tripcode: '!!abcdefghijk', posterLabel: 'Ab+/5678' }, [post(3, { sage: true })])],
    ],
    ['a picture and links', [comment(2, { picture, image: picture.url, links: ['https://example.org/?a="b"'] })]],
    [
      'quotes of a comment, of a reply, of the opening post and of another thread',
      [
        comment(2, { quotes: [here(1)], quotedBy: [here(4), here(5)] }, [
          post(4, { quotes: [here(2)], quotedBy: [here(5), elsewhere] }),
        ]),
        comment(5, { quotes: [here(2), here(4), elsewhere] }),
      ],
    ],
  ])('keeps %s', (_name, comments) => {
    expect(sent(packThread(page(comments)))).toEqual(page(comments))
  })

  test('returns the same object when it is unpacked twice', () => {
    const packed = { ...packThread(page([comment(2)])) }
    expect(unpackThread(packed)).toBe(unpackThread(packed))
  })
})
