import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import { useHasPosted } from './hasPosted.ts'
import type { UnpublishedPostListProps } from './UnpublishedPostList.tsx'

const loadList = async () => (await import('./UnpublishedPostList.tsx')).UnpublishedPostList

/** Shows the visitor's posts of this page that wait for a review or were removed. Loads the list only for authors. */
export function OwnUnpublishedPosts(props: UnpublishedPostListProps) {
  const List = useLazyComponent(loadList, useHasPosted())
  return List && <List {...props} />
}
