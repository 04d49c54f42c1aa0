import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { createStoredPart } from '#src/ui/useLazyComponent.ts'

/** Shows the visitor's posts of this page that wait for a review or were removed. */
export const OwnUnpublishedPosts = createStoredPart(
  OWN_POSTS_KEY,
  async () => (await import('./UnpublishedPostList.tsx')).UnpublishedPostList,
)
