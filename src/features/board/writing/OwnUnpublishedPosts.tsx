import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { useIsStored } from '#src/lib/storedStore.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import type { UnpublishedPostListProps } from './UnpublishedPostList.tsx'

const loadList = async () => (await import('./UnpublishedPostList.tsx')).UnpublishedPostList

/** Shows the visitor's posts of this page that wait for a review or were removed. Loads the list only for authors. */
export function OwnUnpublishedPosts(props: UnpublishedPostListProps) {
  const List = useLazyComponent(loadList, useIsStored(OWN_POSTS_KEY))
  return List && <List {...props} />
}
