import { WATCHING_KEY } from '#src/contract/post.ts'
import { useIsStored } from '#src/lib/storedStore.ts'
import { useLazyComponent } from '#src/ui/useLazyComponent.ts'

const importMenu = async () => (await import('./WatchMenu.tsx')).WatchMenu

/** The menu of watched threads and replies, in the top bar. Only visitors who have watched a thread or posted load it. */
export function WatchMenuSlot() {
  const Menu = useLazyComponent(importMenu, useIsStored(WATCHING_KEY))
  return Menu && <Menu />
}
