import { OWN_POSTS_KEY } from '#src/contract/post.ts'
import { useIsStored } from '#src/lib/storedStore.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'
import type { PostControlsProps } from './PostControls.tsx'

const importControls = async () => (await import('./PostControls.tsx')).PostControls

/** The controls of moderators and authors. Only visitors who moderate or have posted load them. */
export function ControlsSlot(props: PostControlsProps) {
  const Controls = useLazyComponent(importControls, useIsStored(OWN_POSTS_KEY) || props.moderates)
  return Controls && <Controls {...props} />
}
