import { useEffect } from 'react'
import { readStored } from '#src/lib/storage.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import type { HeldPostListProps } from './HeldPostList.tsx'
import { HELD_POSTS_KEY, hasHeldPosts } from './heldPostsMark.ts'

const loadList = async () => (await import('./HeldPostList.tsx')).HeldPostList

/** Shows the visitor's posts on this page that wait for a review. Loads the list only if the browser has such posts. */
export function OwnHeldPosts(props: HeldPostListProps) {
  useEffect(() => {
    if (readStored(HELD_POSTS_KEY) !== null) hasHeldPosts.set(true)
  }, [])
  const List = useLazyComponent(loadList, hasHeldPosts.useValue())
  return List && <List {...props} />
}
